// Crashes, callers that leave and operators that cancel: a request has one debit or none.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import test from 'ava';
import { idHash } from '../../db/object-keys.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { decoderFolder } from '../support/decoder-folder.ts';
import { patientMs } from '../support/patience.ts';
import { framesOf, openSocket } from '../support/sockets.ts';
import { beyondClip, silence, speech, toWav } from '../support/speech.ts';
import { testStack, transcribe, type TestStack } from '../support/stack.ts';
import { settledTraces, traces } from '../support/traces.ts';
import { until } from '../support/until.ts';

async function longRecording(repeats: number): Promise<Buffer> {
  const sentence = await speech('Your call is important to us and will be answered soon.');
  const block = joinSamples([sentence, silence(0.8)]);
  return toWav(beyondClip(joinSamples(Array.from({ length: repeats }, () => block))));
}

async function state({ db }: TestStack, requestId: string): Promise<string | undefined> {
  const query = db.selectFrom('requests').select('state').where('requestId', '=', requestId);
  return (await query.executeTakeFirst())?.state;
}

async function hasChunks({ objects }: TestStack): Promise<boolean> {
  return (await objects.list('work/')).some((key) => key.includes('chunks'));
}

/**
 * The request stays in the middle until its worker is killed or it is cancelled, in an attempt too
 * that follows a heartbeat which a busy machine has delayed.
 */
const staysInTheMiddle = {
  file: 'activities/analyze-span.ts',
  from: '      finished += 1;\n',
  to: `      finished += 1;
      if (recording.attempt === 1) {
        signal.throwIfAborted();
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      }
`,
};

test.serial('a request whose caller leaves is debited once, and the id is completed', async (t) => {
  const stack = await testStack(t, { worker: false });
  const file = toWav(await speech('I will not wait for the answer.'));
  const caller = new AbortController();
  const call = transcribe(stack, file, { requestId: 'gone', signal: caller.signal });
  await until(() => state(stack, 'gone'));
  caller.abort();
  await t.throwsAsync(call);
  await stack.startWorker();
  await until(
    () => state(stack, 'gone'),
    (now) => now === 'completed',
  );
  const again = await transcribe(stack, file, { requestId: 'gone' });
  t.is(again.body.error.code, 'request_already_completed');
  t.is((await settledTraces(stack)).debits.length, 1);
});

test.serial(
  'a worker killed in the middle costs nothing but time: another one finishes',
  async (t) => {
    const disk = await decoderFolder(t);
    const workerEnvironment = { SVC_TEMPORARY_DIR: disk };
    const stack = await testStack(t, { worker: false, workerEnvironment });
    const first = await stack.startWorker([staysInTheMiddle]);
    const file = await longRecording(20);
    const call = transcribe(stack, file, { requestId: 'killed' });
    await until(() => hasChunks(stack));
    const before = await readdir(disk);
    t.not(before.length, 0);
    first.kill('SIGKILL');
    await stack.startWorker();
    const { status, body } = await call;
    t.is(status, 200, JSON.stringify(body));
    t.is(body.text.match(/important/gi)?.length, 20);
    const after = await readdir(disk);
    t.deepEqual(
      before.filter((name) => after.includes(name)),
      [],
      'nothing of the killed worker is on its disk',
    );
    t.deepEqual((await traces(stack)).debits, [body.usage.billable_seconds]);
  },
);

test.serial('a killed inference process costs one chunk, not the request', async (t) => {
  const stack = await testStack(t, { worker: false });
  const worker = await stack.startWorker();
  let answered = false;
  const call = transcribe(stack, await longRecording(40), { requestId: 'child' }).finally(() => {
    answered = true;
  });
  // Its chunks are deleted with its end, which this process could sleep through.
  await until(async () => answered || (await hasChunks(stack)));
  const children = execFileSync('pgrep', ['-P', String(worker.pid), '-f', 'inference/child'])
    .toString()
    .trim()
    .split('\n');
  process.kill(Number(children[0]), 'SIGKILL');
  const { status, body } = await call;
  t.is(status, 200, JSON.stringify(body));
  t.is(body.text.match(/important/gi)?.length, 40);
});

test.serial('a cancelled workflow is cleaned up, and the id may be tried again', async (t) => {
  const stack = await testStack(t, { worker: false });
  await stack.startWorker([staysInTheMiddle]);
  const file = await longRecording(15);
  const call = transcribe(stack, file, { requestId: 'cancelled' });
  await until(() => hasChunks(stack));
  const hash = idHash('cancelled');
  await stack.client.workflow
    .getHandle(requestWorkflowId(stack.account.organizationId, hash))
    .cancel();
  const { status, body } = await call;
  t.is(status, 500, JSON.stringify(body));
  t.deepEqual((await settledTraces(stack)).debits, []);
  const again = await transcribe(stack, file, { requestId: 'cancelled' });
  t.is(again.status, 200, JSON.stringify(again.body));
  t.is((await traces(stack)).debits.length, 1);
});

/** The time in which a worker that stops lets its streams end. */
const longGrace = {
  file: 'bin/stream-worker.ts',
  from: 'const graceMs = 20_000;',
  to: `const graceMs = ${patientMs};`,
};

test.serial('a stream whose audio comes while its worker stops is held and answered', async (t) => {
  const stack = await testStack(t);
  await stack.startStreamWorker([longGrace]);
  const open = () =>
    openSocket(stack.base, '/v1/audio/transcriptions/stream', {
      ...{ protocols: ['svceet.pcm.v1'], key: stack.account.key },
    });
  const stream = open();
  await stream.message('ready');
  const exited = once(stack.streamWorkers[0]!, 'exit');
  stack.streamWorkers[0]!.kill('SIGTERM');
  await until(async () => (await open().ended).code === 503);
  for (const frame of framesOf(await speech('It is not too late.'))) stream.send(frame);
  stream.send({ type: 'commit' });
  const { code, messages } = await stream.ended;
  t.is(code, 1000);
  await exited;
  const { request_id: requestId } = messages.at(-1);
  const id = requestWorkflowId(stack.account.organizationId, idHash(requestId));
  t.is(await stack.client.workflow.getHandle(id).result(), 'completed');
});
