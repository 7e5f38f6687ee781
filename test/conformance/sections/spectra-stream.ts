// The Spectra-2 stream: messages, order, limits, close codes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { body, prepare, streamSession } from '../corpus.ts';
import { spokenSamples } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';
import { framesOf, type Ended, type TestSocket } from '../../support/sockets.ts';

const iface = section('Spectra-2 stream', 'interface.md');
const contract = section('Spectra-2 stream', 'contract.md');
const path = '/v1/audio/spectra-2/stream';
const protocol = 'svc.spectra2.v1';
const start = { type: 'start', model: 'svc-spectra-2', task: 'transcription' };
const finish = { type: 'finish' };

const open = (service: Service, headers: Record<string, string> = {}): TestSocket =>
  service.open(path, [protocol], headers);

async function ready(service: Service, headers: Record<string, string> = {}): Promise<TestSocket> {
  const stream = open(service, headers);
  stream.socket.once('open', () => stream.send(start));
  await Promise.race([stream.message('ready'), stream.ended]);
  return stream;
}

function violated({ code, messages }: Ended, closeCode = 1008): any {
  assert.equal(code, closeCode, JSON.stringify(messages));
  const last = messages.at(-1);
  assert.equal(last?.type, 'error');
  assert.deepEqual(Object.keys(last.error).sort(), [
    'code',
    'message',
    'param',
    'request_id',
    'type',
  ]);
  return last.error;
}

/** Sends each message after `start` was answered, and expects a violation. */
const broken = (sentence: string, ...messages: readonly (object | Uint8Array | string)[]): Entry =>
  contract.rule(sentence, async (service) => {
    const stream = await ready(service);
    for (const message of messages) {
      if (typeof message === 'string') stream.socket.send(message);
      else stream.send(message);
    }
    violated(await stream.ended);
  });

async function streamed(
  service: Service,
  task = 'transcription',
  headers: Record<string, string> = {},
): Promise<Ended> {
  const stream = open(service, headers);
  stream.socket.once('open', () => stream.send({ ...start, task }));
  await stream.message('ready');
  for (const frame of framesOf(await spokenSamples())) stream.send(frame);
  stream.send(finish);
  return stream.ended;
}

export const spectraStream: readonly Entry[] = [
  contract.rule(
    '2. server `{"type":"ready","request_id","model","task","sample_rate":16000,"encoding":"pcm_s16le","channels":1,"max_frame_bytes":32768,"max_audio_seconds","expires_at_ms"}`',
    async (service) => {
      const stream = await ready(service);
      const { request_id: id, max_audio_seconds: most, ...rest } = await stream.message('ready');
      assert.deepEqual(rest, {
        type: 'ready',
        model: 'svc-spectra-2',
        task: 'transcription',
        sample_rate: 16_000,
        encoding: 'pcm_s16le',
        channels: 1,
        max_frame_bytes: 32_768,
        expires_at_ms: null,
      });
      assert.ok(typeof id === 'string' && most > 0 && most <= 60);
      stream.send({ type: 'cancel' });
      await stream.ended;
    },
  ),
  contract.rule(
    '4. server: one bare Spectra2Result object as the only result message, then close 1000.',
    async (service) => {
      const { code, messages } = await streamed(service);
      assert.equal(code, 1000);
      assert.equal(messages.length, 2, 'ready and the result');
      const batch = await body(service, 'spectra');
      assert.deepEqual(Object.keys(messages[1]).sort(), Object.keys(batch).sort());
      assert.equal(messages[1].duration, batch.duration);
      assert.ok(messages[1].text.length > 10);
    },
  ),
  iface.rule(
    'Finalization by an explicit finish message; one final Spectra2Result is returned after finish; no provisional results.',
    async (service) => {
      const { messages } = await streamed(service, 'analysis');
      assert.deepEqual(
        messages.map(({ type, object }) => type ?? object),
        ['ready', 'speech.result'],
      );
      assert.equal(messages[1].task, 'analysis');
    },
  ),
  contract.rule('After cancel: close 1000.', async (service) => {
    const stream = await ready(service);
    stream.send(framesOf(await spokenSamples())[0]!);
    stream.send({ type: 'cancel' });
    const { code, messages } = await stream.ended;
    assert.deepEqual([code, messages.length], [1000, 1]);
  }),
  iface.rule(
    'server clients authenticate with the Authorization bearer header.',
    async (service) => {
      const rejection = await service.open(path, [protocol], {}, false).ended;
      assert.equal(rejection.code, 401);
      assert.equal(rejection.messages[0].error.code, 'invalid_api_key');
    },
  ),
  contract.rule('and may send `X-Request-ID`.', async (service) => {
    const id = `conformance-${randomUUID()}`;
    const { messages } = await streamed(service, 'transcription', { 'X-Request-ID': id });
    assert.equal(messages[0].request_id, id);
    const again = await ready(service, { 'X-Request-ID': id });
    const { error } = (await again.ended).messages.at(-1);
    assert.equal(error.code, 'request_already_completed');
  }),
  contract.rule(
    'Header id and start id differ, or less than 45 ms of audio at finish: error + 1008.',
    async (service) => {
      const stream = open(service, { 'X-Request-ID': `conformance-${randomUUID()}` });
      stream.socket.once('open', () => stream.send({ ...start, request_id: 'another' }));
      violated(await stream.ended);
      const short = await ready(service);
      short.send(new Uint8Array(719 * 2));
      short.send(finish);
      violated(await short.ended);
    },
  ),
  contract.rule('With a ticket, model, task and', async (service) => {
    const session = ok(await prepare(service));
    const created = ok(await streamSession(service, session, 0));
    const stream = service.open(path, [protocol, created.ticket], {}, false);
    stream.socket.once('open', () => stream.send({ ...start, task: 'analysis' }));
    violated(await stream.ended);
  }),
  iface.rule(
    '5. Stream sessions: the WebSocket is opened with subprotocols [`svc.spectra2.v1`, <TICKET>]; the ticket is a one-request credential.',
    async (service) => {
      const session = ok(await prepare(service));
      const created = ok(await streamSession(service, session, 0));
      const stream = service.open(path, [protocol, created.ticket], {}, false);
      stream.socket.once('open', () => stream.send(start));
      const {
        request_id: id,
        expires_at_ms: expires,
        max_audio_seconds: most,
      } = await stream.message('ready');
      assert.deepEqual([id, expires], [created.request_id, session.expires_at_ms]);
      assert.ok(most <= created.max_audio_seconds);
      stream.send(framesOf(await spokenSamples())[0]!);
      stream.send(finish);
      assert.equal((await stream.ended).code, 1000);
      assert.equal(
        (await service.open(path, [protocol, created.ticket], {}, false).ended).code,
        401,
      );
      rejected(await streamSession(service, session, 0), 409, 'request_already_completed');
    },
  ),
  contract.rule(
    'The server selects only `svc.spectra2.v1` and never echoes the ticket;',
    async (service) => {
      const created = ok(await streamSession(service, ok(await prepare(service)), 0));
      const stream = service.open(path, [protocol, created.ticket], {}, false);
      const selected = new Promise<string>((resolve) =>
        stream.socket.once('open', () => resolve(stream.socket.protocol)),
      );
      assert.equal(await selected, protocol);
      stream.send(start);
      await stream.message('ready');
      stream.send({ type: 'cancel' });
      const { messages } = await stream.ended;
      assert.ok(!JSON.stringify(messages).includes(created.ticket));
    },
  ),
  contract.rule('Bad credentials: HTTP 401 before the upgrade.', async (service) => {
    assert.equal((await service.open(path, [protocol, 'nonsense'], {}, false).ended).code, 401);
  }),
  contract.rule(
    'Frames before `start`, odd byte counts, text that is not JSON,',
    async (service) => {
      const stream = open(service);
      stream.socket.once('open', () => stream.send(new Uint8Array(320)));
      violated(await stream.ended);
    },
  ),
  broken('odd byte counts, text that is not JSON,', new Uint8Array(321)),
  broken('text that is not JSON,', 'not json'),
  broken('a second start, data after finish: error + 1008.', start),
  broken(
    'a second start, data after finish: error + 1008.',
    new Uint8Array(3_200),
    finish,
    new Uint8Array(320),
  ),
  broken('Text frames are JSON with `type`;', { type: 'nothing' }),
  iface.rule('| Spectra-2 stream | frame max 32768 bytes; audio max 60 s;', async (service) => {
    const large = await ready(service);
    large.send(new Uint8Array(32_770));
    assert.equal((await large.ended).code, 1009);
    const long = await ready(service);
    const frame = new Uint8Array(32_768);
    for (let sent = 0; sent <= 60 * 32_000; sent += frame.length) long.send(frame);
    violated(await long.ended, 1009);
  }),
  contract.rule(
    'binary frames are PCM16 LE mono 16 kHz, 2..32768 bytes, whole samples.',
    async (service) => {
      const stream = await ready(service);
      for (const bytes of [2, 32_768]) stream.send(new Uint8Array(bytes));
      stream.send(finish);
      const { code, messages } = await stream.ended;
      assert.deepEqual([code, messages.at(-1).duration], [1000, 1.024]);
      const empty = await ready(service);
      empty.send(new Uint8Array(0));
      violated(await empty.ended);
    },
  ),
  contract.rule(
    'Between open and finish 30 s without a message (pongs do not count) close 4408.',
    async (service) => {
      const stream = await ready(service);
      const startedAt = Date.now();
      const { code } = await stream.ended;
      assert.equal(code, 4408);
      assert.ok(Date.now() - startedAt > 28_000);
    },
  ),
  contract.untestable(
    '1011 (server), 1013 (busy),',
    'nothing of the deployment may be broken for it',
  ),
];
