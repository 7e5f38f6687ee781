// Spectra-2 on files: formats, answers, slots of sessions.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { section, type Entry } from '../case.ts';
import { body, prepare, streamSession } from '../corpus.ts';
import { encoded, noisy, slow, spokenSamples, stereo, wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Sessions', 'interface.md');
const contract = section('Sessions', 'contract.md');

const spectra = [['model', 'svc-spectra-2']] as const;
const path = '/v1/audio/transcriptions';
const session = async (service: Service): Promise<any> => ok(await prepare(service));

const spend = (
  service: Service,
  of: any,
  slot: number,
  more: Readonly<Record<string, string>> = {},
) =>
  service.post(path, {
    file: wavOf(16_000),
    fields: spectra,
    id: of.request_ids[slot],
    headers: { 'X-Svc-Session': of.token, ...more },
  });

export const spectraRequests: readonly Entry[] = [
  iface.rule(
    'file (mono 16 kHz WAV, finalized FLAC, signed PCM16 little-endian with file MIME `audio/pcm`, or float32 little-endian with MIME `audio/f32le`;',
    async (service) => {
      const samples = await spokenSamples();
      const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
      const floats = Buffer.from(Float32Array.from(samples, (sample) => sample / 32_768).buffer);
      const { text } = await body(service, 'spectra');
      for (const [file, type] of [
        [pcm, 'audio/pcm'],
        [floats, 'audio/f32le'],
        [await encoded('flac'), ''],
      ] as const) {
        assert.equal(
          ok(await service.post(path, { file, type, fields: spectra })).text,
          text,
          type,
        );
      }
      rejected(
        await service.post(path, { file: stereo(), fields: spectra }),
        400,
        'unsupported_audio',
      );
      rejected(
        await service.post(path, { file: slow(), fields: spectra }),
        400,
        'unsupported_audio',
      );
      rejected(
        await service.post(path, { file: await encoded('mp3'), fields: spectra }),
        400,
        'unsupported_audio',
      );
    },
  ),
  iface.rule('raw PCM requires its MIME type;', async (service) => {
    const samples = noisy(1).subarray(44);
    rejected(
      await service.post(path, { file: samples, fields: spectra }),
      400,
      'unsupported_audio',
    );
    rejected(
      await service.post('/v1/audio/emotions', { file: samples, type: 'audio/pcm' }),
      400,
      'unsupported_audio',
    );
  }),
  iface.rule('Spectra-2 returns transcript and all 31 clip-level scores.', async (service) => {
    const [a, b] = [await body(service, 'spectra'), await body(service, 'spectraAnalysis')];
    assert.deepEqual([a.task, b.task], ['transcription', 'analysis']);
    assert.equal(a.emotions.length + a.styles.length, 31);
    assert.equal(a.text, b.text);
  }),
  iface.rule(
    '- A prepared session has a 30-second lifetime including setup; after `expires_at_ms` it is expired (409 on stream setup).',
    async (service) => {
      const before = Date.now();
      const made = await session(service);
      const life = made.expires_at_ms - before;
      assert.ok(life > 25_000 && life <= 32_000, `${life} ms`);
      await sleep(made.expires_at_ms - Date.now() + 1_000);
      rejected(await streamSession(service, made), 409, 'session_expired');
      rejected(await spend(service, made, 1), 409, 'session_expired');
    },
  ),
  contract.rule('A slot that was used: 409 as for any request id.', async (service) => {
    const made = await session(service);
    ok(await streamSession(service, made, 0));
    rejected(await streamSession(service, made, 0), 409, 'request_in_progress');
    ok(await spend(service, made, 1));
    rejected(await spend(service, made, 1), 409, 'request_already_completed');
  }),
  contract.rule(
    '- Server-only (403 server_only): the request carries `Origin`, or `Sec-Fetch-Site` other than `none`.',
    async (service) => {
      const none = { 'Sec-Fetch-Site': 'none' };
      const request = { model: 'svc-spectra-2', id: randomUUID() };
      const made = ok(await service.json('/v1/audio/sessions', request, none));
      ok(await streamSession(service, made, 0, none));
      ok(await spend(service, made, 1, none));
      for (const page of [{ Origin: 'https://example.org' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        rejected(await spend(service, made, 2, page), 403, 'server_only');
        const headers = { ...page, 'X-Svc-Session-Prepare': randomUUID() };
        const alone = { file: wavOf(16_000), fields: spectra, headers };
        rejected(await service.post(path, alone), 403, 'server_only');
      }
      ok(await spend(service, made, 2));
    },
  ),
  contract.rule(
    '- An ordinary Spectra-2 request may carry `X-Svc-Session` (spend a slot) and `X-Svc-Session-Prepare: <uuid v4>` (prepare the next',
    async (service) => {
      const made = await session(service);
      const spent = await spend(service, made, 0, { 'X-Svc-Session-Prepare': randomUUID() });
      ok(spent);
      assert.match(spent.headers.get('x-svc-session') ?? '', /^ss1_/);
      assert.ok(Number(spent.headers.get('x-svc-session-expires')) > Date.now());
      assert.equal(spent.headers.get('x-svc-session-count'), '32');
      assert.ok(Number(spent.headers.get('x-svc-session-seconds')) > 0);
      rejected(
        await spend(service, made, 1, { 'X-Svc-Session-Prepare': 'x' }),
        400,
        'invalid_field',
      );
    },
  ),
];
