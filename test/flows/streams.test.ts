// Streams over real sockets: what they answer, what they reject, and what they leave behind.
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { sql } from 'kysely';
import { liteResultSchema, spectra2ResultSchema } from '../../api/results/schemas.ts';
import { balanceOf } from '../../db/balance.ts';
import { idHash } from '../../db/object-keys.ts';
import { createCredential } from '../../db/stream-credentials.ts';
import type { Word } from '../../models/asr/transcript.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { silence, speech } from '../support/speech.ts';
import { framesOf, openSocket, type TestSocket } from '../support/sockets.ts';
import { testStack, type TestStack } from '../support/stack.ts';
import { traces } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { realtimeTurns } from './realtime-turns.ts';

const spectraPath = '/v1/audio/spectra-2/stream';
const litePath = '/v1/audio/transcriptions/stream';
const spectra = ['svc.spectra2.v1'];
const start = { type: 'start', model: 'svc-spectra-2', task: 'analysis' };
const allowance = 36_000;

const open = ({ base, account }: TestStack, headers: Record<string, string> = {}): TestSocket =>
  openSocket(base, spectraPath, { protocols: spectra, key: account.key, headers });

interface Interim {
  readonly type: string;
  readonly stable: readonly Word[];
  readonly tail: readonly Word[];
}

const textOf = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ');

/** Until the ledger's balance and the states of the requests are these. */
async function settles(
  { db, account }: TestStack,
  remaining: number,
  states: readonly string[],
): Promise<void> {
  const read = async (): Promise<unknown> => {
    const { remainingSeconds } = await balanceOf(db, account.organizationId);
    const rows = await db.selectFrom('requests').select('state').orderBy('state').execute();
    return [remainingSeconds, rows.map(({ state }) => state)];
  };
  await until(read, (found) => isDeepStrictEqual(found, [remaining, states]));
}

test('a Spectra-2 stream answers once, is billed once, and is a workflow', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const spoken = joinSamples([await speech('Please call me back tomorrow morning.'), silence(0.4)]);
  const stream = open(stack, { 'X-Request-ID': 'stream-1' });
  await new Promise((resolve) => stream.socket.once('open', resolve));
  t.is(stream.socket.protocol, 'svc.spectra2.v1');
  stream.send({ ...start, request_id: 'stream-1' });
  const ready = await stream.message('ready');
  t.deepEqual(ready, {
    type: 'ready',
    request_id: 'stream-1',
    model: 'svc-spectra-2',
    task: 'analysis',
    sample_rate: 16_000,
    encoding: 'pcm_s16le',
    channels: 1,
    max_frame_bytes: 32_768,
    max_audio_seconds: 60,
    expires_at_ms: null,
  });
  for (const frame of framesOf(spoken)) stream.send(frame);
  stream.send({ type: 'finish' });
  const { code, messages } = await stream.ended;
  t.is(code, 1000);
  t.is(messages.length, 2);
  const result = spectra2ResultSchema.parse(messages[1]);
  t.regex(result.text, /call me back tomorrow morning/i);
  t.is(result.duration, Math.round((spoken.length / 16_000) * 1_000) / 1_000);
  const billed = result.usage.billable_seconds;
  await settles(stack, allowance - billed, ['completed']);
  const query = `TaskQueue = '${stack.taskQueue}-streams'`;
  const listed = () => Array.fromAsync(stack.client.workflow.list({ query }), ({ type }) => type);
  // The server lists a workflow a little after its start.
  t.deepEqual(await until(listed, ({ length }) => length > 0), ['streamRecording']);

  const again = open(stack, { 'X-Request-ID': 'stream-1' });
  again.socket.once('open', () => again.send(start));
  const rejected = await again.ended;
  t.is(rejected.code, 1008);
  t.is(rejected.messages[0].error.code, 'request_already_completed');
  t.is(rejected.messages[0].error.type, 'conflict_error');
});

test('a lite stream, the same one with interim text, and a Realtime session', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const spoken = await speech('Please call me back tomorrow morning.');
  const response = await fetch(`${stack.base}/v1/client-token`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.account.key}` },
  });
  const { token, url, ...rest } = (await response.json()) as Record<string, string>;
  t.deepEqual(rest as object, { expires_in: 60, single_use: true, protocol: 'svceet.pcm.v1' });
  t.regex(token!, /^[A-Za-z0-9._-]{1,96}$/);
  t.is(url, stack.base.replace('http', 'ws') + litePath);
  const protocols = ['svceet.pcm.v1', `auth.${token}`];
  const stream = openSocket(stack.base, litePath, { protocols });
  const ready = await stream.message('ready');
  t.deepEqual(ready, {
    type: 'ready',
    sample_rate: 16_000,
    encoding: 'pcm_s16le',
    channels: 1,
    max_seconds: 60,
    model: 'svc-svceet',
  });
  t.is(stream.socket.protocol, 'svceet.pcm.v1');
  stream.send({ type: 'ping' });
  t.deepEqual(await stream.message('pong'), { type: 'pong' });
  for (const frame of framesOf(spoken)) stream.send(frame);
  stream.send({ type: 'commit' });
  const { code, messages } = await stream.ended;
  t.is(code, 1000);
  const { usage, ...final } = messages.at(-1);
  t.is(final.type, 'final');
  t.regex(final.text, /call me back/i);
  t.deepEqual(Object.keys(final), [
    ...['type', 'text', 'model', 'inference_ms', 'server_ms', 'queue_ms', 'language'],
    ...['audio_seconds', 'request_id'],
  ]);
  liteResultSchema.shape.usage.parse(usage);
  t.is((await openSocket(stack.base, litePath, { protocols }).ended).code, 401);
  const billed = usage.billable_seconds;
  await settles(stack, allowance - billed, ['completed']);

  // The same recording with interim text: the same result and charge, and words before the end.
  const { key } = stack.account;
  const live = openSocket(stack.base, litePath, { protocols: ['svceet.pcm.live.v1'], key });
  await live.message('ready');
  t.is(live.socket.protocol, 'svceet.pcm.live.v1');
  let [stable, shown] = ['', ''];
  live.socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Interim;
    if (message.type !== 'interim') return;
    stable = `${stable} ${textOf(message.stable)}`.trim();
    shown = `${stable} ${textOf(message.tail)}`;
  });
  for (const frame of framesOf(joinSamples([spoken, silence(1)]))) live.send(frame);
  await until(() => /call me back/i.test(shown));
  live.send({ type: 'commit' });
  const ended = await live.ended;
  t.is(ended.code, 1000);
  const last = ended.messages.at(-1);
  t.deepEqual(Object.keys(last), [...Object.keys(final), 'usage']);
  const isRevised = ended.messages.some(({ type }) => type === 'revised');
  t.true(isRevised || last.text.toLowerCase().startsWith(stable.toLowerCase()));
  const left = allowance - billed - last.usage.billable_seconds;
  await settles(stack, left, ['completed', 'completed']);

  const turns = await realtimeTurns(t, stack, spoken);
  const states = Array.from({ length: 6 }, (_, i) => (i === 0 ? 'closed' : 'completed'));
  await settles(stack, left - turns, states);
});

test('cancel, drop, violation and a lost worker leave no debit and no reservation', async (t) => {
  const stack = await testStack(t, { streams: true });
  const [frame] = framesOf(silence(1));
  const begin = async (): Promise<TestSocket> => {
    const stream = open(stack);
    stream.socket.once('open', () => stream.send(start));
    await stream.message('ready');
    stream.send(frame!);
    return stream;
  };
  const cancelled = await begin();
  cancelled.send({ type: 'cancel' });
  t.deepEqual((await cancelled.ended).code, 1000);
  const dropped = await begin();
  dropped.socket.terminate();
  // Audio after `finish` would race with the result: a second start is wrong at any time.
  const restarted = await begin();
  restarted.send(start);
  t.is((await restarted.ended).code, 1008);
  const wrong = open(stack);
  wrong.socket.once('open', () => wrong.send(frame!));
  const { code, messages } = await wrong.ended;
  t.deepEqual([code, messages[0].error.code], [1008, 'invalid_field']);
  await settles(stack, allowance, ['closed', 'closed', 'closed']);

  // The forwarder selects the one that was started last.
  const other = await stack.startStreamWorker();
  const lost = await begin();
  t.is((await balanceOf(stack.db, stack.account.organizationId)).remainingSeconds, allowance - 60);
  const { request_id: requestId } = await lost.message('ready');
  const workflowId = requestWorkflowId(stack.account.organizationId, idHash(requestId));
  // Before that, the sweeper would end it, as failed.
  const started = () => stack.client.workflow.getHandle(workflowId).describe();
  await until(() => started().catch(() => null));
  other.kill('SIGKILL');
  t.is((await lost.ended).code, 1006);
  // Its missed heartbeats are noticed first.
  await settles(stack, allowance, ['closed', 'closed', 'closed', 'failed']);
  t.deepEqual((await traces(stack)).debits, []);

  // What its worker has lost may be tried again under its id, and is charged once.
  await stack.startStreamWorker();
  const again = open(stack, { 'X-Request-ID': requestId });
  again.socket.once('open', () => again.send(start));
  await again.message('ready');
  again.send(frame!);
  again.send({ type: 'finish' });
  t.is((await again.ended).code, 1000);
  await settles(stack, allowance - 1, ['closed', 'closed', 'closed', 'completed']);
});

test('credentials, query, subprotocol and allowance are checked before the upgrade', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true, allowanceSeconds: 2 });
  const rejection = async (path: string, options: object) => {
    const { code, messages } = await openSocket(stack.base, path, {
      protocols: spectra,
      ...options,
    }).ended;
    return [code, messages[0].error.code];
  };
  const { key } = stack.account;
  t.deepEqual(await rejection(spectraPath, {}), [401, 'invalid_api_key']);
  t.deepEqual(await rejection(spectraPath, { key: `${key}x` }), [401, 'invalid_api_key']);
  t.deepEqual(await rejection(`${spectraPath}?a=1`, { key }), [400, 'invalid_field']);
  t.deepEqual(await rejection(spectraPath, { key, protocols: ['other'] }), [400, 'invalid_field']);
  t.deepEqual(await rejection('/v1/audio/nothing', { key }), [404, 'not_found']);
  const ticket = ['svc.spectra2.v1', 'never-made'];
  t.deepEqual(await rejection(spectraPath, { protocols: ticket }), [401, 'invalid_api_key']);
  const expired = { kind: 'client_token', secret: 'old', ...stack.account } as const;
  await createCredential(stack.db, { ...expired, opens: { lifetimeSeconds: -1 } });
  const protocols = ['svceet.pcm.v1', 'auth.old'];
  t.deepEqual(await rejection(litePath, { protocols }), [401, 'invalid_api_key']);
  t.is((await fetch(stack.base + spectraPath)).status, 426);

  const short = openSocket(stack.base, litePath, { protocols: ['svceet.pcm.v1'], key });
  await short.message('ready');
  for (const frame of framesOf(silence(3))) short.send(frame);
  const ended = await short.ended;
  t.deepEqual([ended.code, ended.messages.at(-1).code], [1008, 'allowance_exhausted']);
  await sql`UPDATE organizations SET allowance_seconds = 0`.execute(stack.db);
  t.deepEqual(await rejection(spectraPath, { key }), [402, 'allowance_exhausted']);
});
