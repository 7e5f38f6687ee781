// What a crash left behind is finished or deleted, and work in progress is not touched.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import { objectLifetimeSeconds, sweep } from '../../activities/sweep.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { databaseTime, type Db } from '../../db/database.ts';
import { registerObject } from '../../db/object-rows.ts';
import { idHash, workPrefix } from '../../db/object-keys.ts';
import { claimRequest } from '../../db/requests.ts';
import { balanceOf } from '../../db/balance.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { sweepDelays } from '../../db/upkeep-report.ts';
import { batchWorkflowId, requestWorkflowId } from '../../workflows/ids.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { logLines } from '../support/log-lines.ts';
import { noObjects } from '../support/object-exercises.ts';
import { testObjectStore } from '../support/object-store.ts';

/** Whether a whole pass was made since the first organization. */
async function hasSwept(db: Db): Promise<boolean> {
  await sql`UPDATE organizations SET created_at = now() - interval '1 day'`.execute(db);
  const { sinceSweepSeconds } = await sweepDelays(db, objectLifetimeSeconds);
  return sinceSweepSeconds! < 43_200;
}

test('abandoned requests fail, running ones continue, orphaned objects go', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const claim = async (requestId: string): Promise<string> => {
    const uploadKey = `uploads/${requestId}`;
    const common = {
      organizationId,
      keyId,
      fingerprint: 'f',
      task: 't',
      model: 'm',
      ratePerMinute: 0,
    };
    await claimRequest(db, { ...common, requestId, uploadKey });
    await registerObject(db, { key: uploadKey, organizationId, kind: 'upload' });
    await objects.putBytes(uploadKey, requestId);
    return uploadKey;
  };
  const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  await claim('abandoned');
  await reserve(db, ref('abandoned'), 10);
  const samples: string[] = [];
  for (const requestId of ['abandoned', 'running']) {
    const key = workPrefix(ref(requestId));
    await registerObject(db, { key, organizationId, kind: 'work' });
    await objects.putBytes(`${key}pcm`, 'samples');
    samples.push(key);
  }
  const running = await claim('running');
  await claim('answered');
  await reserve(db, ref('answered'), 10);
  await settle(db, ref('answered'), 10);
  await sql`UPDATE requests SET updated_at = now() - interval '1 hour'`.execute(db);
  await sql`UPDATE objects SET created_at = now() - interval '1 hour'`.execute(db);

  const alive = requestWorkflowId(organizationId, idHash('running'));
  const workflowState = async (id: string) => (id === alive ? 'running' : 'absent');
  // The sweep uses no other part of a worker.
  const failures: object[] = [];
  const metrics = { failed: (failure: object) => void failures.push(failure) };
  const dependencies = { db, objects, workflowState, metrics } as unknown as ActivityDependencies;
  const { logger, lines } = logLines(/^the sweeper/);
  const environment = new MockActivityEnvironment({}, { logger });
  await environment.run(() => sweep(dependencies));

  t.is(lines.length, 1);
  t.like(lines[0], {
    ...{ level: 'error', message: 'the sweeper ended a request', workflow: 'absent' },
    ...ref('abandoned'),
  });
  const rows = await db.selectFrom('requests').select(['requestId', 'state']).execute();
  const states = Object.fromEntries(rows.map((row) => [row.requestId, row.state]));
  t.deepEqual(states, { abandoned: 'failed', running: 'admitted', answered: 'completed' });
  t.deepEqual(failures, [{ code: 'internal_error', bulk: false }]);
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 3_600 - 10);
  t.deepEqual(await objects.list('work/'), [`${samples[1]}pcm`], 'in the pass that ends it');
  // What an activity that does not know of the end yet stores is deleted too.
  await objects.putBytes(`${samples[0]}pcm`, 'samples');
  await environment.run(() => sweep(dependencies));
  t.deepEqual(await objects.list('work/'), [`${samples[1]}pcm`]);
  // The upload of the abandoned request is deleted a quarter of an hour after the request ended.
  t.deepEqual(await objects.list('uploads/'), ['uploads/abandoned', running]);
});

test('however many requests and batches run, those without a workflow are found', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  await sql`INSERT INTO requests (organization_id, request_id, key_id, fingerprint, task, model,
      upload_key, updated_at)
    SELECT ${organizationId}, 'r' || 9999 - i, ${keyId}, 'f', 't', 'm', '',
      now() - i * interval '1 hour' FROM generate_series(1, 1001) AS i`.execute(db);
  await sql`INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, total,
      bytes, created_at, expires_at)
    SELECT 'b' || 9999 - i, ${organizationId}, ${keyId}, 'emotion', 'm', '{}', '{}', 1, 1,
      now() - i * interval '1 hour', now() FROM generate_series(1, 1001) AS i`.execute(db);
  const gone = [
    requestWorkflowId(organizationId, idHash('r9998')),
    batchWorkflowId(organizationId, 'b9998'),
  ];
  const started: string[] = [];
  let failed = 0;
  const dependencies = {
    ...{ db, objects: noObjects },
    workflowState: async (id: string) => (gone.includes(id) ? 'absent' : 'running'),
    metrics: { failed: () => (failed += 1) },
    batches: { start: async ({ batchId }: { batchId: string }) => void started.push(batchId) },
  } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  t.deepEqual(started, ['b9998']);
  t.is(failed, 1);
});

test('a pass that ran out of time stops; what completed meanwhile has not failed', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const rest = { organizationId, keyId, fingerprint: 'f', task: 't', model: 'm', ratePerMinute: 0 };
  for (const requestId of ['a', 'b']) {
    await claimRequest(db, { ...rest, requestId, uploadKey: '' });
  }
  await sql`UPDATE requests SET updated_at = now() - interval '1 hour'`.execute(db);
  const environment = new MockActivityEnvironment();
  const asked: string[] = [];
  const workflowState = async (id: string): Promise<string> => {
    asked.push(id);
    await settle(db, { organizationId, requestId: 'a', attempt: 1 }, 10);
    environment.cancel();
    return 'completed';
  };
  const metrics = { failed: () => t.fail() };
  const dependencies = { db, objects: noObjects, workflowState, metrics };
  await t.throwsAsync(
    environment.run(() => sweep(dependencies as unknown as ActivityDependencies)),
    { name: 'CancelledFailure' },
  );
  t.deepEqual(asked, [requestWorkflowId(organizationId, idHash('a'))]);
  t.false(await hasSwept(db));
});

test('what cannot be deleted holds up nothing else, and the pass does not count', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  for (const key of ['results/a', 'results/locked', 'results/z']) {
    await registerObject(db, { key, organizationId, kind: 'result' });
    await objects.putBytes(key, 'result');
  }
  await sql`UPDATE objects SET created_at = now() - interval '1 hour'`.execute(db);
  const locked = new Error('the object is locked');
  const refusing = {
    ...objects,
    delete: async (keys: readonly string[]) => {
      if (keys.includes('results/locked')) throw locked;
      await objects.delete(keys);
    },
  };
  const dependencies = { db, objects: refusing } as unknown as ActivityDependencies;
  await t.throwsAsync(new MockActivityEnvironment().run(() => sweep(dependencies)));
  t.deepEqual(await objects.list('results/'), ['results/locked']);
  t.false(await hasSwept(db));
  const whole = { db, objects } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(whole));
  t.deepEqual(await objects.list('results/'), []);
  t.true(await hasSwept(db));
});

test('however many objects cannot be deleted, later ones are', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  await sql`INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'results/locked' || i, ${organizationId}, 'result', now() - interval '2 hours'
    FROM generate_series(1, 501) AS i`.execute(db);
  await registerObject(db, { key: 'results/z', organizationId, kind: 'result' });
  await sql`UPDATE objects SET created_at = now() - interval '1 hour'
    WHERE key = 'results/z'`.execute(db);
  const tried: string[] = [];
  const deletion = async ([key]: readonly string[]): Promise<void> => {
    if (!key?.startsWith('results/')) return;
    tried.push(key);
    if (key !== 'results/z') throw new Error('the object is locked');
  };
  const objects = { ...noObjects, delete: deletion };
  const dependencies = { db, objects } as unknown as ActivityDependencies;
  const pass = () => new MockActivityEnvironment().run(() => sweep(dependencies));
  await t.throwsAsync(pass());
  t.is(tried.length, 500);
  await t.throwsAsync(pass());
  t.deepEqual(
    tried.slice(500).map((key) => key === 'results/z'),
    [false, true],
  );
  await t.throwsAsync(pass());
  t.is(tried.length, 1_002, 'and those that were kept are tried again');
});

test.serial('uploads in progress are aborted by the clock of the database', async (t) => {
  const { db } = await testDatabase(t);
  const times: number[] = [];
  const abortUploads = async (_: unknown, before: Date) => void times.push(before.getTime());
  const objects = { ...noObjects, abortUploads };
  const realNow = Date.now;
  t.teardown(() => (Date.now = realNow));
  Date.now = () => realNow() + 3_600_000;
  const from = await databaseTime(db);
  const dependencies = { db, objects } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  const to = await databaseTime(db);
  const ages = times.map((time) => [from, to].map((now) => now.getTime() - time >= 3_600_000));
  t.deepEqual(ages, [[false, true]]);
});

test('while storage is down rows are swept, and no deletion waits for it', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const rest = { organizationId, keyId, fingerprint: 'f', task: 't', model: 'm', ratePerMinute: 0 };
  await claimRequest(db, { ...rest, requestId: 'abandoned', uploadKey: '' });
  await registerObject(db, { key: 'results/a', organizationId, kind: 'result' });
  await sql`UPDATE requests SET updated_at = now() - interval '1 hour'`.execute(db);
  await sql`UPDATE objects SET created_at = now() - interval '1 hour'`.execute(db);
  const tried: string[] = [];
  const down = (name: string) => () => {
    tried.push(name);
    return Promise.reject(new Error('no answer'));
  };
  const names = ['ping', 'delete', 'deletePrefix', 'listPage', 'abortUploads'];
  const dependencies = {
    ...{ db, workflowState: async () => 'absent' },
    objects: Object.fromEntries(names.map((name) => [name, down(name)])),
    metrics: { failed: () => {} },
  } as unknown as ActivityDependencies;
  await t.throwsAsync(new MockActivityEnvironment().run(() => sweep(dependencies)));
  t.deepEqual(tried, ['ping']);
  const { state } = await db.selectFrom('requests').select('state').executeTakeFirstOrThrow();
  t.is(state, 'failed');
});
