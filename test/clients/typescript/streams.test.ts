// Both streams through the client, against a server that answers as a test says.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import { openLiteStream } from '../../../clients/typescript/src/lite-stream.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';
import { openSpectraStream } from '../../../clients/typescript/src/spectra-stream.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { failure, scriptedServer } from '../../support/scripted-server.ts';

async function streamServer(
  t: Cleanup,
  onMessage: (socket: ServerSocket, message: any, audio: Buffer) => void,
): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, unknown>>[] }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const headers: Readonly<Record<string, unknown>>[] = [];
  server.on('connection', (socket, request) => {
    headers.push(request.headers);
    let audio = Buffer.alloc(0);
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) audio = Buffer.concat([audio, data]);
      onMessage(
        socket,
        isBinary ? { type: 'audio', bytes: data.length } : JSON.parse(data.toString()),
        audio,
      );
    });
    if (socket.protocol.startsWith('svceet')) say(socket, { type: 'ready', max_seconds: 60 });
  });
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, headers };
}

const say = (socket: ServerSocket, message: object): void => socket.send(JSON.stringify(message));

test('audio is sent in whole samples and small frames, whatever the pieces', async (t) => {
  const frames: number[] = [];
  const { url, headers } = await streamServer(t, (socket, message, audio) => {
    if (message.type === 'start') say(socket, { type: 'ready', max_audio_seconds: 60 });
    if (message.type === 'audio') frames.push(message.bytes);
    if (message.type === 'finish') say(socket, { text: `${audio.length} ${audio.at(-1)}` });
  });
  const stream = await openSpectraStream({
    url,
    task: 'analysis',
    headers: { Authorization: 'Bearer k' },
    requestId: 'r-1',
  });
  t.is(stream.ready.max_audio_seconds, 60);
  await stream.send(new Uint8Array(3));
  await stream.send(new Uint8Array(70_001));
  await stream.send(Int16Array.of(1, 0x0203));
  t.is((await stream.finish()).text, '70008 2');
  t.deepEqual(frames, [2, 32_000, 32_000, 6_002, 4]);
  t.is(headers[0]?.['authorization'], 'Bearer k');
  t.is(headers[0]?.['sec-websocket-protocol'], 'svc.spectra2.v1');
});

test('the error of a stream is that of the service, for what is sent after it too', async (t) => {
  const { url } = await streamServer(t, (socket, message) => {
    if (message.type === 'start') say(socket, { type: 'ready' });
    if (message.type !== 'audio') return;
    const error = { code: 'allowance_exhausted', message: 'Nothing is left.', request_id: 'r-2' };
    say(socket, { type: 'error', error });
    socket.close(1008);
  });
  const stream = await openSpectraStream({ url, task: 'transcription', ticket: 'abc' });
  await stream.send(new Uint8Array(2));
  const error = await t.throwsAsync(() => stream.finish(), { instanceOf: SpeechServiceError });
  t.deepEqual([error?.code, error?.requestId], ['allowance_exhausted', 'r-2']);
  await t.throwsAsync(() => stream.send(new Uint8Array(2)), { message: 'Nothing is left.' });
});

test('a lite stream without capacity is committed again; a token is its credential', async (t) => {
  let commits = 0;
  const { url, headers } = await streamServer(t, (socket, message) => {
    if (message.type === 'ping') say(socket, { type: 'pong' });
    if (message.type !== 'commit') return;
    commits += 1;
    const busy = { type: 'error', code: 'capacity', message: 'Busy.', retry_after_ms: 1 };
    say(socket, commits < 3 ? busy : { type: 'final', text: 'Hello.' });
  });
  const stream = await openLiteStream({ url, token: 'one.use', protocol: 'svceet.pcm.v1' });
  stream.ping();
  await stream.send(new Uint8Array(3_200));
  t.is((await stream.finish()).text, 'Hello.');
  t.is(commits, 3);
  t.regex(String(headers[0]?.['sec-websocket-protocol']), /^svceet\.pcm\.v1, ?auth\.one\.use$/);
});

test('a socket that is not accepted is an error', async (t) => {
  const opened = openSpectraStream({ url: 'ws://127.0.0.1:9', task: 'analysis' });
  const error = await t.throwsAsync(() => opened, { instanceOf: SpeechServiceError });
  t.is(error?.code, 'unreachable');
});

test('interim text adds up, until the result takes some of it back', async (t) => {
  const word = (text: string) => ({ word: text, start: 0, end: 1 });
  const { url, headers } = await streamServer(t, (socket, message) => {
    if (message.type !== 'commit') return;
    say(socket, { type: 'interim', stable: [word('Hello')], tail: [word('word')] });
    say(socket, { type: 'interim', stable: [word('world')], tail: [] });
    say(socket, { type: 'revised', kept_words: 1 });
    say(socket, { type: 'final', text: 'Hello.' });
  });
  const seen: string[] = [];
  const stream = await openLiteStream(
    { url, token: 'one.use', protocol: 'svceet.pcm.v1' },
    {
      onText: ({ stable, tail }) => {
        seen.push(
          [stable, tail].map((words) => words.map((each) => each.word).join(' ')).join('|'),
        );
      },
    },
  );
  t.is((await stream.finish()).text, 'Hello.');
  t.deepEqual(seen, ['Hello|word', 'Hello world|', 'Hello|']);
  t.is(headers[0]?.['sec-websocket-protocol'], 'svceet.pcm.live.v1, auth.one.use');
});

test('a vocabulary opens the subprotocol that knows it, and precedes the audio', async (t) => {
  const told: object[] = [];
  const { url, headers } = await streamServer(t, (socket, message) => {
    told.push(message);
    if (message.type === 'start') say(socket, { type: 'ready' });
    if (message.type === 'finish') say(socket, { text: 'Grey.' });
    if (message.type !== 'commit') return;
    say(socket, { type: 'interim', stable: [], tail: [] });
    say(socket, { type: 'final', text: 'Grey.' });
  });
  const vocabulary = ['grey'];
  const token = { url, token: 'one.use', protocol: 'svceet.pcm.v1' } as const;
  t.is((await (await openLiteStream(token, { vocabulary })).finish()).text, 'Grey.');
  const target = { url, task: 'transcription', ticket: 'abc', vocabulary } as const;
  t.is((await (await openSpectraStream(target)).finish()).text, 'Grey.');
  const offered = headers.map((each) => String(each['sec-websocket-protocol']));
  t.deepEqual(offered, ['svceet.pcm.live.v1, auth.one.use', 'svc.spectra2.live.v1, abc']);
  t.deepEqual(told, [
    { type: 'vocabulary', terms: vocabulary },
    { type: 'commit' },
    { type: 'start', model: 'svc-spectra-2', task: 'transcription', vocabulary },
    { type: 'finish' },
  ]);
});

test('a stream that is refused says what may be the reason', async (t) => {
  const { baseUrl } = await scriptedServer(t, [failure(401, 'invalid_api_key')]);
  const url = baseUrl.replace('http', 'ws');
  const error = await t.throwsAsync(() => openSpectraStream({ url, task: 'analysis' }), {
    instanceOf: SpeechServiceError,
    message: /^no stream at ws:.*: the service was not reached, or it refused the key/,
  });
  t.is(error?.code, 'unreachable');
});

test('large pieces after one that ended within a sample arrive whole and in order', async (t) => {
  const arrived: Buffer[] = [];
  const { url } = await streamServer(t, (socket, message, audio) => {
    if (message.type === 'start') say(socket, { type: 'ready' });
    if (message.type !== 'finish') return;
    arrived.push(audio);
    say(socket, { text: 'Hello.' });
  });
  const samples = Uint8Array.from({ length: 1_000_004 }, (_, i) => i % 251);
  const stream = await openSpectraStream({ url, task: 'analysis', ticket: 'abc' });
  for (const [from, to] of [
    [0, 3],
    [3, 131_075],
    [131_075, samples.length],
  ] as const) {
    await stream.send(samples.subarray(from, to));
  }
  await stream.finish();
  t.true(arrived[0]?.equals(samples));
});

test('audio for a stream that is finished is refused, before and after its result', async (t) => {
  const { url } = await streamServer(t, (socket, message) => {
    if (message.type === 'start') say(socket, { type: 'ready' });
    if (message.type === 'finish') say(socket, { text: 'Hello.' });
    if (message.type === 'commit') say(socket, { type: 'final', text: 'Hello.' });
  });
  const message = 'the stream is finished and takes no more audio';
  for (const stream of [
    await openSpectraStream({ url, task: 'analysis', ticket: 'abc' }),
    await openLiteStream({ url, token: 'one.use', protocol: 'svceet.pcm.v1' }),
  ]) {
    const result = stream.finish();
    await t.throwsAsync(stream.send(new Uint8Array(1)), { message });
    t.is((await result).text, 'Hello.');
    await t.throwsAsync(stream.send(new Uint8Array(3_200)), { message });
  }
});
