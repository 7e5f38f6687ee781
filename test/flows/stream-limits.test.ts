// Limits of sockets and of their messages, over real sockets, next to a well-behaved client.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { WebSocket } from 'ws';
import { revokeKey } from '../../db/api-keys.ts';
import { setSuspended } from '../../db/organizations.ts';
import { anAccount } from '../support/database.ts';
import { framesOf, openSocket, type TestSocket } from '../support/sockets.ts';
import { silence } from '../support/speech.ts';
import { testStack, type TestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const litePath = '/v1/audio/transcriptions/stream';
const spectraPath = '/v1/audio/spectra-2/stream';
const start = { type: 'start', model: 'svc-spectra-2', task: 'transcription' };

const openLite = ({ base }: TestStack, key: string): TestSocket =>
  openSocket(base, litePath, { protocols: ['svceet.pcm.v1'], key });
const openSpectra = ({ base }: TestStack, key: string): TestSocket =>
  openSocket(base, spectraPath, { protocols: ['svc.spectra2.v1'], key });

const upgraded = (socket: WebSocket): Promise<Record<string, unknown>> =>
  new Promise((resolve) => {
    socket.once('upgrade', ({ headers }: { headers: Record<string, unknown> }) => resolve(headers));
  });

/** `open` when the socket was, else the status and code of the error. */
const outcome = ({ socket, ended }: TestSocket): Promise<string> =>
  Promise.race([
    upgraded(socket).then(() => 'open'),
    ended.then(({ code, messages }) => `${code} ${messages[0]?.error?.code}`),
  ]);

const rejections = (outcomes: readonly string[]): readonly string[] =>
  outcomes.filter((seen) => seen !== 'open');

test('of a burst of sockets exactly as many open as the key allows, over workers', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const { key } = await anAccount(stack.db, { limits: { maxConcurrent: 4 } });
  // The same key over two workers: the forwarder selects the one that was started last.
  const burst = (count: number, open: typeof openLite) =>
    Array.from({ length: count }, () => open(stack, key));
  const first = burst(20, openLite);
  const outcomes = Promise.all(first.map(outcome));
  // Sockets without a message end after 30 s, and a slow machine takes longer to start a worker.
  const pings = setInterval(() => {
    for (const { socket } of first) if (socket.readyState === 1) socket.send('{"type":"ping"}');
  }, 5_000);
  t.teardown(() => clearInterval(pings));
  await stack.startStreamWorker();
  const second = burst(20, openSpectra);
  const all = [...(await outcomes), ...(await Promise.all(second.map(outcome)))];
  const open = [...first, ...second].filter(({ socket }) => socket.readyState === 1);
  t.is(open.length, 4, all.join());
  t.deepEqual(new Set(rejections(all)), new Set(['429 rate_limited']));
  for (const { socket } of [...first, ...second]) socket.terminate();
  const openAgain = async (): Promise<string> => {
    const again = openSpectra(stack, key);
    const seen = await outcome(again);
    again.socket.terminate();
    return seen;
  };
  // A closed socket frees its lease a little later.
  await until(openAgain, (seen) => seen === 'open');
});

test('idle sockets of one organization yield to others; one that sends audio stays', async (t) => {
  const streamEnvironment = { SVC_MAX_STREAMS: '4' };
  const stack = await testStack(t, { worker: false, streams: true, streamEnvironment });
  const hoarder = stack.account.key;
  const speaking = openSpectra(stack, hoarder);
  await upgraded(speaking.socket);
  speaking.send(start);
  await speaking.message('ready');
  speaking.send(framesOf(silence(1))[0]!);
  const idle: TestSocket[] = [];
  for (let i = 0; i < 3; i += 1) {
    idle.push(openSpectra(stack, hoarder));
    await upgraded(idle[i]!.socket);
  }
  t.is(await outcome(openSpectra(stack, hoarder)), '429 rate_limited');
  const { key } = await anAccount(stack.db);
  const other = openLite(stack, key);
  await other.message('ready');
  const lost = await idle[2]!.ended;
  t.deepEqual([lost.code, lost.messages[0].error.code], [1013, 'rate_limited']);
  speaking.send({ type: 'finish' });
  t.is((await speaking.ended).code, 1000);
  t.is(idle[0]!.socket.readyState, 1);
});

test('frames too large and floods end with an error, without effect on others', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const { key } = await anAccount(stack.db);
  const good = openLite(stack, key);
  await good.message('ready');
  for (const bytes of [131_074, 1_048_576, 67_108_864]) {
    const large = openLite(stack, stack.account.key);
    await large.message('ready');
    large.send(new Uint8Array(bytes));
    const { code, messages } = await large.ended;
    t.deepEqual([code, messages.at(-1)?.code], [1009, 'frame_too_large'], `${bytes} bytes`);
  }
  const invalid = openSpectra(stack, stack.account.key);
  await upgraded(invalid.socket);
  invalid.socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
  const { code, messages } = await invalid.ended;
  t.deepEqual([code, messages[0]?.error.code], [1008, 'invalid_field']);
  for (const [data, options] of [
    ['', {}],
    [Buffer.alloc(2), {}],
    ['a', { fin: false }],
  ] as const) {
    const flood = openLite(stack, stack.account.key);
    await upgraded(flood.socket);
    for (let i = 0; i < 20_000; i += 1) flood.socket.send(data, options, () => {});
    const ended = await flood.ended;
    t.deepEqual([ended.code, ended.messages.at(-1)?.code], [1008, 'invalid_message']);
    good.send({ type: 'ping' });
  }
  const pings = openLite(stack, stack.account.key);
  await pings.message('ready');
  for (let i = 0; i < 20_000; i += 1) pings.socket.ping('', true, () => {});
  t.not((await pings.ended).code, 1000);
  good.send({ type: 'ping', t: 1 });
  await good.message('pong');
  t.is(good.socket.readyState, 1);
});

test('a ticket survives a wrong id, answers have ids, suspension ends open streams', async (t) => {
  const stack = await testStack(t, { streams: true });
  const unnamed = openSpectra(stack, stack.account.key);
  const given = (await upgraded(unnamed.socket))['x-request-id'];
  unnamed.send(start);
  t.is((await unnamed.message('ready')).request_id, given);
  const { keyId, key } = await anAccount(stack.db);
  const revoked = openLite(stack, key);
  await revoked.message('ready');
  const [frame] = framesOf(silence(1));
  const audio = setInterval(() => {
    for (const stream of [unnamed, revoked])
      if (stream.socket.readyState === 1) stream.send(frame!);
  }, 5_000);
  t.teardown(() => clearInterval(audio));

  // A session lives for 30 s: nothing else is done before its stream is to end.
  const headers = { Authorization: `Bearer ${stack.account.key}` };
  const post = async (path: string, body: object, more: object = {}): Promise<any> => {
    const json = { 'Content-Type': 'application/json', ...headers, ...more };
    const init = { method: 'POST', body: JSON.stringify(body), headers: json };
    return (await fetch(stack.base + path, init)).json();
  };
  const model = 'svc-spectra-2';
  const session = await post('/v1/audio/sessions', { model, id: randomUUID() });
  const [requestId] = session.request_ids;
  const { ticket } = await post(
    '/v1/audio/stream-sessions',
    { model, task: 'transcription' },
    { 'X-Svc-Session': session.token, 'X-Request-ID': requestId },
  );
  const protocols = ['svc.spectra2.v1', ticket];
  const other = { 'X-Request-ID': 'another' };
  const rejected = await openSocket(stack.base, spectraPath, { protocols, headers: other }).ended;
  t.deepEqual([rejected.code, rejected.messages[0].error.code], [400, 'invalid_field']);
  t.is(rejected.messages[0].error.request_id, 'another');
  const ticketed = openSocket(stack.base, spectraPath, { protocols });
  t.is((await upgraded(ticketed.socket))['x-request-id'], requestId);
  ticketed.send(start);
  t.is((await ticketed.message('ready')).request_id, requestId);
  await revokeKey(stack.db, keyId, 'test');
  await setSuspended(stack.db, {
    organizationId: stack.account.organizationId,
    suspended: true,
    actor: 'test',
  });
  for (const stream of [ticketed, unnamed]) {
    const { code, messages } = await stream.ended;
    t.deepEqual([code, messages.at(-1).error.code], [1008, 'account_suspended']);
  }
  t.is((await revoked.ended).messages.at(-1).code, 'invalid_api_key');
});
