// Organizations do not see each other, and no secret is written anywhere.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import test from 'ava';
import { revokeKey } from '../../db/api-keys.ts';
import { anAccount } from '../support/database.ts';
import { framesOf, openSocket } from '../support/sockets.ts';
import { speech, toWav } from '../support/speech.ts';
import { postFile, testStack, untilReady, type TestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const spectra = { model: 'svc-spectra-2' } as const;

async function json(base: string, path: string, key: string, body: object, headers = {}) {
  const response = await fetch(base + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as any };
}

const prepare = (base: string, key: string) =>
  json(base, '/v1/audio/sessions', key, { ...spectra, id: randomUUID() });

const stream = (base: string, key: string, token: string, id: string) =>
  json(
    base,
    '/v1/audio/stream-sessions',
    key,
    { ...spectra, task: 'transcription' },
    {
      'X-Svc-Session': token,
      'X-Request-ID': id,
    },
  );

/** An error without the values that are new in every answer. */
const said = ({ status, body }: { status: number; body: any }) => {
  const { request_id: _, ...error } = body.error;
  return { status, error };
};

test("another organization's ids, sessions and keys are as if they were not there", async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const { base, db, account: own } = stack;
  const theirs = await anAccount(db);
  const file = toWav(await speech('Nobody else may hear this.'));
  const id = 'shared';
  t.is((await postFile(stack, '/v1/audio/emotions', { file, requestId: id })).status, 200);
  const same = await postFile(stack, '/v1/audio/emotions', {
    file,
    requestId: id,
    key: theirs.key,
  });
  t.is(same.status, 200, 'an id is of its organization');

  const session = (await prepare(base, own.key)).body;
  const slot: string = session.request_ids[0];
  const forged = `ss1_${'A'.repeat(80)}`;
  const [othersToken, absent] = [
    await stream(base, theirs.key, session.token, slot),
    await stream(base, theirs.key, forged, slot),
  ];
  t.deepEqual(said(othersToken), said(absent));
  t.is(othersToken.status, 400);

  const revoked = await anAccount(db);
  await revokeKey(db, revoked.keyId, 'test');
  const unknown = `svc_live_0123456789abcdef_${'A'.repeat(43)}`;
  const [old, none, changed] = await Promise.all(
    [revoked.key, unknown, `${own.key.slice(0, -1)}_`].map((key) => prepare(base, key)),
  );
  t.deepEqual(said(old!), said(none!));
  t.deepEqual(said(changed!), said(none!));
});

test('no key, token, ticket or word is in logs, histories, attributes or errors', async (t) => {
  let log = '';
  const stack = await testStack(t, {
    worker: false,
    streams: true,
    onLog: (text) => (log += text),
  });
  const worker = await stack.startWorker();
  const { child: api, base } = await stack.startApi();
  await untilReady(stack);
  const { key } = stack.account;
  const at = { ...stack, base };
  const samples = await speech('The zebra and the penguin are walking in the garden.');
  const file = toWav(samples);
  const secrets = [key, key.slice(-43), 'zebra', 'penguin'];
  const errors: string[] = [];

  await postFile(at, '/v1/audio/analysis', { file, fields: { diarize: 'true' } });
  await postFile(at, '/v1/audio/proficiency', {
    file: toWav(await speech('The zebra and the penguin went home. '.repeat(3))),
    fields: { transcript: 'The zebra and the penguin went home. '.repeat(3).trim() },
  });
  const session = (await prepare(base, key)).body;
  secrets.push(session.token);
  const created = (await stream(base, key, session.token, session.request_ids[0])).body;
  secrets.push(created.ticket);
  await speak(base, '/v1/audio/spectra-2/stream', ['svc.spectra2.v1', created.ticket], samples);
  const token = (await json(base, '/v1/client-token', key, {})).body.token as string;
  secrets.push(token);
  await speak(base, '/v1/audio/transcriptions/stream', ['svceet.pcm.v1', `auth.${token}`], samples);
  for (const wrong of [
    await postFile(at, '/v1/audio/emotions', { file: Buffer.from('zebra'.repeat(20)) }),
    await postFile(at, '/v1/audio/emotions', { file, fields: { model: 'svc-nothing' } }),
    await postFile(at, '/v1/audio/emotions', { file, key: `${key}x` }),
    await stream(base, key, session.token, 'not-a-slot'),
  ]) {
    errors.push(JSON.stringify(wrong.body));
  }
  // Two recordings, a session and two streams, which the server lists a little later.
  const histories = await until(
    () => everyHistory(stack),
    (found) => found.length >= 5 && found.join().includes('"model":"svc-proficiency-1"'),
  );
  // What a process logs at its end included.
  for (const child of [api, worker, ...stack.streamWorkers]) {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  }
  const rows = JSON.stringify([
    await stack.db.selectFrom('requests').selectAll().execute(),
    await stack.db.selectFrom('audit').selectAll().execute(),
    await stack.db.selectFrom('apiKeys').selectAll().execute(),
    await stack.db.selectFrom('preparedSessions').selectAll().execute(),
    await stack.db.selectFrom('streamCredentials').selectAll().execute(),
  ]);
  t.true(log.includes('"request"'), 'the API logs its requests');
  const outputs = { log, rows, errors: errors.join(), histories: histories.join() };
  for (const [output, text] of Object.entries(outputs)) {
    for (const secret of secrets) {
      t.false(
        text.toLowerCase().includes(secret.toLowerCase()),
        `${output}: ${secret.slice(0, 6)}…`,
      );
    }
  }
});

/** Streams the samples to the end of the recording. */
async function speak(
  base: string,
  path: string,
  protocols: readonly string[],
  samples: Int16Array,
): Promise<void> {
  const socket = openSocket(base, path, { protocols });
  const isSpectra = path.includes('spectra');
  if (isSpectra) {
    socket.socket.once('open', () =>
      socket.send({ type: 'start', ...spectra, task: 'transcription' }),
    );
  }
  await socket.message('ready');
  for (const frame of framesOf(samples)) socket.send(frame);
  socket.send({ type: isSpectra ? 'finish' : 'commit' });
  await socket.ended;
}

/** Histories, memos and search attributes of this stack's workflows, payloads decoded. */
async function everyHistory({ client, taskQueue }: TestStack): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const queue of [taskQueue, `${taskQueue}-streams`]) {
    const query = `TaskQueue = "${queue}"`;
    for await (const execution of client.workflow.list({ query })) {
      const handle = client.workflow.getHandle(execution.workflowId, execution.runId);
      const history = await handle.fetchHistory();
      const payloads: string[] = [];
      collectBytes(history, payloads);
      const { memo, searchAttributes } = execution;
      texts.push(
        payloads.join('\n') + JSON.stringify([execution.workflowId, memo, searchAttributes]),
      );
    }
  }
  return texts;
}

/** Payloads are bytes somewhere in the history. */
function collectBytes(value: unknown, texts: string[]): void {
  if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString());
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectBytes(inner, texts);
  }
}
