// A stream and its workflow: started with its first audio, or after a second of silence, and
// holding the stream before that is answered.
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Db } from '../../../db/database.ts';
import { balanceOf } from '../../../db/balance.ts';
import { createStreamRun } from '../../../api/streams/run.ts';
import { RequestNotRunning } from '../../../db/settlement.ts';
import { aStream } from '../../support/a-stream.ts';
import { spoken } from '../../support/fake-pool.ts';
import { until } from '../../support/until.ts';

const word = spoken(1, [{ value: 7, startSeconds: 0.1, endSeconds: 0.9 }]);

async function reserved(db: Db, organizationId: string): Promise<number> {
  return 600 - (await balanceOf(db, organizationId)).remainingSeconds;
}

test.serial('an abandoned stream starts no workflow and releases its minutes', async (t) => {
  let started = 0;
  const { run, db, organizationId } = await aStream(t, { start: async () => void (started += 1) });
  t.is(await reserved(db, organizationId), 60, 'while it is open');
  await run.abandon('client');
  t.is(await reserved(db, organizationId), 0);
  run.record(new Uint8Array(320));
  t.is(started, 0);
});

test.serial('the first audio starts the workflow, once', async (t) => {
  let started = 0;
  const { run } = await aStream(t, { start: async () => void (started += 1) });
  for (let i = 0; i < 3; i += 1) run.record(new Uint8Array(320));
  t.is(started, 1);
  await run.abandon('client');
});

test.serial(
  'a silent stream starts its workflow, which detects the loss of its worker',
  async (t) => {
    let started = 0;
    const { run, tick } = await aStream(t, { start: async () => void (started += 1) });
    tick(999);
    t.is(started, 0);
    tick(1);
    t.is(started, 1);
    await run.abandon('client');
  },
);

test.serial('a workflow that cannot start ends the stream with a server error', async (t) => {
  const start = () => Promise.reject(new Error('no server'));
  const { run, db, lost, counts } = await aStream(t, { start });
  run.record(new Uint8Array(320));
  await until(() => lost.length > 0);
  t.is(run.toFailure(lost[0]).code, 'not_ready');
  await run.abandon('client');
  t.is(run.toFailure(lost[0]).code, 'not_ready', 'what comes later is not counted');
  t.deepEqual(counts.failed, ['not_ready']);
  t.deepEqual(counts.completed, []);
  t.like(await db.selectFrom('requests').selectAll().executeTakeFirst(), { state: 'failed' });
});

test.serial('terms of the stream come before those of its organization', async (t) => {
  const { run, asked, hold } = await aStream(t);
  run.prefer(['Xanthippe']);
  run.prefer(['Siobhan', 'Aoife']);
  run.record(new Uint8Array(word.buffer));
  hold();
  const { result } = await run.finish(() => {});
  t.is(result.text, 'w7');
  t.deepEqual(
    asked.map(({ vocabulary }) => vocabulary),
    [['Siobhan', 'Aoife', 'Kelly']],
  );
});

test.serial('a stream is charged once its workflow holds it', async (t) => {
  const { run, hold } = await aStream(t);
  run.record(new Uint8Array(word.buffer));
  let charged = false;
  const finished = run.finish(() => (charged = true));
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  t.false(charged);
  hold();
  await finished;
  t.true(charged);
});

test.serial('a stream that is longer than what was reserved costs no more than that', async (t) => {
  const { run, db, organizationId, hold } = await aStream(t, { allowanceSeconds: 2 });
  run.record(new Uint8Array(spoken(3, [{ value: 7, startSeconds: 1, endSeconds: 2 }]).buffer));
  hold();
  const { result } = await run.finish(() => {});
  t.is(result.text, 'w7');
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 0);
});

test.serial('a stream whose workflow never comes is charged all the same', async (t) => {
  const { run, tick } = await aStream(t);
  run.record(new Uint8Array(word.buffer));
  let charged = false;
  const finished = run.finish(() => (charged = true));
  while (!charged) {
    tick(5_000);
    await setImmediate();
  }
  t.is((await finished).result.text, 'w7');
});

test.serial('a stream is counted with the seconds of its audio once it is charged', async (t) => {
  const { run, counts, hold } = await aStream(t);
  run.record(new Uint8Array(word.buffer));
  hold();
  t.deepEqual(counts.completed, []);
  const { result } = await run.finish(() => {});
  await run.abandon('client');
  const inferenceSeconds = result.inferenceMs / 1_000;
  const own = { task: 'transcription', model: 'svc-svceet', bulk: false } as const;
  t.deepEqual(counts.completed, [{ ...own, audioSeconds: 1, inferenceSeconds }]);
  t.deepEqual(counts.failed, []);
});

test.serial('a stream that is left while it waits for its workflow ends at once', async (t) => {
  const { run, db } = await aStream(t);
  run.record(new Uint8Array(word.buffer));
  const finished = run.finish(() => t.fail());
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  await Promise.all([t.throwsAsync(finished), run.abandon('client')]);
  t.like(await db.selectFrom('requests').selectAll().executeTakeFirst(), { state: 'closed' });
});

test.serial('the id of a stream that the service ends may be tried again', async (t) => {
  const { run, db, services, admission, organizationId } = await aStream(t);
  run.record(new Uint8Array(word.buffer));
  await run.abandon('service');
  t.is(await reserved(db, organizationId), 0);
  const again = createStreamRun(services, { ticket: null, live: null });
  t.is((await again.admit(admission)).attempt, 2);
  await again.abandon('client');
  const third = createStreamRun(services, { ticket: null, live: null });
  const used = { code: 'request_already_completed' };
  t.like(await t.throwsAsync(third.admit(admission)), used, 'what its client leaves is used up');
  t.is(await reserved(db, organizationId), 0);
});

test.serial(
  'a stream that a planned stop ends is recorded as that, and not as a fault',
  async (t) => {
    const { run, db, services, admission, organizationId, counts } = await aStream(t);
    await run.abandon('exchange');
    const { attempt } = await createStreamRun(services, { ticket: null, live: null }).admit({
      ...admission,
      requestId: 'ticket',
    });
    const ticket = { organizationId, requestId: 'ticket', attempt };
    await createStreamRun(services, { ticket, live: null }).abandon('exchange');
    const rows = await db.selectFrom('requests').select(['state', 'errorCode']).execute();
    const ended = { state: 'failed', errorCode: 'not_ready' };
    t.deepEqual(rows, [ended, ended]);
    t.deepEqual(counts.failed, []);
    t.is(await reserved(db, organizationId), 0);
  },
);

test.serial('a stream that ends while it is admitted ends as whoever ends it says', async (t) => {
  const { run, db, services, admission } = await aStream(t);
  await run.abandon('client');
  const early = createStreamRun(services, { ticket: null, live: null });
  const admitted = early.admit({ ...admission, requestId: 'early' });
  await early.abandon('service');
  await admitted;
  const states = db.selectFrom('requests').select('state').orderBy('requestId', 'desc');
  t.deepEqual(await states.execute(), [{ state: 'closed' }, { state: 'failed' }]);
});

for (const [fault, state] of [
  ['service', 'failed'],
  ['client', 'closed'],
] as const) {
  test.serial(`a ticket that ends before its stream is started: ${fault}`, async (t) => {
    const { run, db, services, admission, organizationId } = await aStream(t);
    await run.abandon('client');
    const { attempt } = await createStreamRun(services, { ticket: null, live: null }).admit({
      ...admission,
      requestId: 'ticket',
    });
    const ticket = { organizationId, requestId: 'ticket', attempt };
    await createStreamRun(services, { ticket, live: null }).abandon(fault);
    const row = db.selectFrom('requests').select('state').where('requestId', '=', 'ticket');
    t.deepEqual(await row.execute(), [{ state }]);
    t.is(await reserved(db, organizationId), 0);
  });
}

function replaceTransaction(db: Db, execute: () => Promise<never>): void {
  Object.assign(db, { transaction: () => ({ execute }) });
}

/** The next charge is refused. */
function refuseCharge(db: Db, error: Error): void {
  const executor = db.getExecutor();
  const executeQuery: typeof executor.executeQuery = (query, ...rest) => {
    if (!query.sql.includes("'debit'")) return executor.executeQuery(query, ...rest);
    Reflect.deleteProperty(db, 'getExecutor');
    return Promise.reject(error);
  };
  const refusing = new Proxy(executor, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'executeQuery') return executeQuery;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  Object.assign(db, { getExecutor: () => refusing });
}

/** A recorded stream whose charge is refused, and which is open. */
async function unchargeable(t: ExecutionContext) {
  const stream = await aStream(t);
  stream.run.record(new Uint8Array(word.buffer));
  stream.hold();
  refuseCharge(stream.db, new RequestNotRunning('refused'));
  return stream;
}

test.serial('a stream whose charge fails is not reported as completed', async (t) => {
  const { run, db, organizationId, ended } = await unchargeable(t);
  run.toFailure(await t.throwsAsync(run.finish(() => {})));
  await run.abandon('client');
  t.is(await ended, 'ended');
  t.like(await db.selectFrom('requests').selectAll().executeTakeFirst(), { state: 'failed' });
  t.is(await reserved(db, organizationId), 0);
});

test.serial('a stream that is left while its charge fails is closed', async (t) => {
  const { run, db, organizationId, ended } = await unchargeable(t);
  await t.throwsAsync(run.finish(() => void run.abandon('client')));
  t.is(await ended, 'ended');
  t.like(await db.selectFrom('requests').selectAll().executeTakeFirst(), { state: 'closed' });
  t.is(await reserved(db, organizationId), 0);
});

test.serial('a stream that cannot be closed is left to its workflow, which is told', async (t) => {
  const { run, db, ended } = await aStream(t);
  replaceTransaction(db, () => Promise.reject(new Error('away')));
  await t.throwsAsync(run.abandon('client'), { message: 'away' });
  await t.throwsAsync(ended, { message: 'away' });
});
