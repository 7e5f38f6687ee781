// The lite stream and its client tokens.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { section, type Entry } from '../case.ts';
import { answer, body } from '../corpus.ts';
import { spokenSamples } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';
import { framesOf, type TestSocket } from '../../support/sockets.ts';

const iface = section('Lite stream', 'interface.md');
const contract = section('Lite stream', 'contract.md');
const path = '/v1/audio/transcriptions/stream';
const protocol = 'svceet.pcm.v1';
const commit = { type: 'commit' };

async function ready(service: Service): Promise<TestSocket> {
  const stream = service.open(path, [protocol]);
  await Promise.race([stream.message('ready'), stream.ended]);
  return stream;
}

/** A socket that a message ends with an error of this code. */
const broken = (
  sentence: string,
  code: string,
  closeCode: number,
  ...messages: readonly (object | Uint8Array | string)[]
): Entry =>
  contract.rule(sentence, async (service) => {
    const stream = await ready(service);
    for (const message of messages) {
      if (typeof message === 'string') stream.socket.send(message);
      else stream.send(message);
    }
    const ended = await stream.ended;
    const last = ended.messages.at(-1);
    assert.deepEqual(
      [last.type, last.code, ended.code],
      ['error', code, closeCode],
      JSON.stringify(last),
    );
    assert.equal(typeof last.message, 'string');
  });

const codes =
  '`invalid_message`, `frame_too_large`, `audio_too_long` (over 60 s), `audio_too_short`, `idle` (30 s before commit; a ping counts), `allowance_exhausted`, `internal_error`, with the close codes above.';

export const liteStream: readonly Entry[] = [
  contract.rule(
    '- server on open: `{"type":"ready","sample_rate":16000,"encoding":"pcm_s16le","channels":1,"max_seconds":60,"model":"svc-svceet"}`.',
    async (service) => {
      const stream = await ready(service);
      assert.deepEqual(await stream.message('ready'), {
        type: 'ready',
        sample_rate: 16_000,
        encoding: 'pcm_s16le',
        channels: 1,
        max_seconds: 60,
        model: 'svc-svceet',
      });
      stream.socket.close();
      await stream.ended;
    },
  ),
  contract.rule(
    '- client: binary PCM16 frames; `{"type":"ping"}` -> server `{"type":"pong"}`; `{"type":"commit"}` ends the recording.',
    async (service) => {
      const stream = await ready(service);
      stream.send({ type: 'ping' });
      assert.deepEqual(await stream.message('pong'), { type: 'pong' });
      stream.send({ type: 'ping', t: 1 });
      stream.socket.close();
      assert.equal((await stream.ended).code, 1005, 'a ping may say more');
    },
  ),
  contract.rule(
    '- server: `{"type":"final","text","model","inference_ms","server_ms","queue_ms","language":"en","audio_seconds","request_id","usage"}`, once, then close 1000.',
    async (service) => {
      const stream = await ready(service);
      for (const frame of framesOf(await spokenSamples())) stream.send(frame);
      stream.send(commit);
      const { code, messages } = await stream.ended;
      assert.equal(code, 1000);
      const finals = messages.filter(({ type }) => type === 'final');
      assert.equal(finals.length, 1);
      const names =
        'audio_seconds inference_ms language model queue_ms request_id server_ms text type usage';
      assert.deepEqual(Object.keys(finals[0]).sort(), names.split(' '));
      const batch = await body(service, 'lite');
      assert.equal(finals[0].audio_seconds, batch.duration);
      assert.deepEqual(Object.keys(finals[0].usage).sort(), Object.keys(batch.usage).sort());
      assert.ok(finals[0].text.length > 10 && finals[0].language === 'en');
    },
  ),
  contract.rule(
    '- client token: `^[A-Za-z0-9._-]{1,96}$`; `POST /v1/client-token` -> `{"token","url","expires_in":60,"single_use":true,"protocol":"svceet.pcm.v1"}`; body empty or `{}`.',
    async (service) => {
      const created = await body(service, 'clientToken');
      assert.deepEqual(Object.keys(created).sort(), [
        'expires_in',
        'protocol',
        'single_use',
        'token',
        'url',
      ]);
      const bare = await fetch(`${service.base}/v1/client-token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.key}` },
      });
      assert.equal(bare.status, 200);
      rejected(await service.json('/v1/client-token', '[]'), 400, 'invalid_field');
    },
  ),
  iface.rule(
    '6. Lite-model streaming from clients: a token obtained from `POST /v1/client-token` (single use, valid 60 seconds) is sent as subprotocol `auth.<TOKEN>` together with `svceet.pcm.v1`.',
    async (service) => {
      const { token } = ok(await service.json('/v1/client-token', {}));
      const stream = service.open(path, [protocol, `auth.${token}`], {}, false);
      await stream.message('ready');
      assert.equal(stream.socket.protocol, protocol);
      stream.socket.close();
      await stream.ended;
      assert.equal(
        (await service.open(path, [protocol, `auth.${token}`], {}, false).ended).code,
        401,
      );
    },
  ),
  iface.rule('| Client token | valid 60 s, single use |', async (service) => {
    const { token } = ok(await service.json('/v1/client-token', {}));
    await sleep(61_000);
    assert.equal(
      (await service.open(path, [protocol, `auth.${token}`], {}, false).ended).code,
      401,
    );
  }),
  iface.rule('- `POST /v1/client-token`: 401, 402.', async (service) => {
    rejected(
      await service.json('/v1/client-token', {}, { Authorization: 'Bearer no' }),
      401,
      'invalid_api_key',
    );
    ok(await answer(service, 'clientToken'));
  }),
  iface.rule(
    'The WebSocket is opened at `{lite_stream_url}` with subprotocols `svceet.pcm.v1` and `auth.<TOKEN>`.',
    async (service) => {
      const { url } = await body(service, 'clientToken');
      assert.equal(url, service.base.replace(/^http/, 'ws') + path);
      const other = await service.open(path, ['something.else']).ended;
      assert.equal(other.code, 400);
    },
  ),
  broken(codes, 'invalid_message', 1008, 'not json'),
  broken(codes, 'invalid_message', 1008, { type: 'nothing' }),
  broken(codes, 'invalid_message', 1008, new Uint8Array(321)),
  broken(codes, 'frame_too_large', 1009, new Uint8Array(65_538)),
  broken(codes, 'frame_too_large', 1009, new Uint8Array(131_074)),
  broken(codes, 'frame_too_large', 1009, new Uint8Array(16_777_216)),
  contract.rule(
    'close 1008 (protocol or policy), 1009 (frame or audio too large),',
    async (service) => {
      // Before `ready` too: messages that are queued until then count.
      const stream = service.open(path, [protocol]);
      await new Promise((resolve) => stream.socket.once('open', resolve));
      for (let i = 0; i < 20_000; i += 1) stream.socket.send('', () => {});
      const { code, messages } = await stream.ended;
      assert.deepEqual([code, messages.at(-1)?.code], [1008, 'invalid_message']);
    },
  ),
  broken(codes, 'audio_too_long', 1009, ...Array<Uint8Array>(62).fill(new Uint8Array(32_000))),
  broken(codes, 'audio_too_short', 1008, new Uint8Array(320), commit),
  contract.rule('`idle` (30 s before commit; a ping counts)', async (service) => {
    const stream = await ready(service);
    const startedAt = Date.now();
    await sleep(5_000);
    stream.send({ type: 'ping' });
    const { code, messages } = await stream.ended;
    assert.deepEqual([code, messages.at(-1).code], [4408, 'idle']);
    assert.ok(Date.now() - startedAt > 33_000);
  }),
  contract.untestable(
    'code `capacity` keeps the audio and lets the client commit again;',
    'the capacity of a deployment is not known outside',
  ),
];
