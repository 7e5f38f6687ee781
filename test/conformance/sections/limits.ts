// Limits of bytes and seconds, on both sides of each edge, and how early they are enforced.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { coarseWav, wavOf, wavOfBytes } from '../recordings.ts';
import { ok, rejected, type FileRequest, type Service } from '../service.ts';
import { flacFile } from '../../support/flac.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { encode } from '../../support/speech.ts';

const iface = section('Limits', 'interface.md');
const contract = section('Limits', 'contract.md');
const mebibyte = 2 ** 20;
const common = ['transcriptions', 'emotions', 'styles', 'affect', 'analysis'];

const post = (
  service: Service,
  path: string,
  file: Buffer,
  fields: FileRequest['fields'] = [],
  type = '',
) => service.post(`/v1/audio/${path}`, { file, fields, type });

/** Declares a body and sends none of it: a limit that is known early is enforced at once. */
async function declared(service: Service, path: string, bytes: number): Promise<string> {
  const { status, body } = await sendRaw(service.base, [
    [
      `POST ${path} HTTP/1.1`,
      'Host: conformance',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${bytes}`,
      '\r\n',
    ].join('\r\n'),
  ]);
  return `${status} ${JSON.parse(body).error?.code}`;
}

export const limits: readonly Entry[] = [
  iface.rule(
    '| File endpoints (Resonance/Fourier) | 30 MB, 60 minutes per file;',
    async (service) => {
      for (const path of common) {
        rejected(await post(service, path, wavOfBytes(30 * mebibyte + 1)), 413, 'file_too_large');
      }
    },
  ),
  contract.rule(
    '- MB and MiB in limits mean 2^20 bytes, 12 KB means 12,288. Where interface.md limits the file, the body may be 64 KiB larger; where it limits the body, exactly that.',
    async (service) => {
      for (const path of [...common, 'proficiency']) {
        const edge = (path === 'proficiency' ? 80_000 : 0) + 30 * mebibyte + 65_536;
        const got = await declared(service, `/v1/audio/${path}`, edge + 1);
        assert.equal(got, '413 body_too_large', path);
      }
      assert.equal(
        await declared(service, '/v1/models/svc-resonance-2/access', 12_289),
        '415 unsupported_media_type',
      );
      const large = { use_case: 'x'.repeat(12_288) };
      rejected(
        await service.json('/v1/models/svc-resonance-2/access', large),
        413,
        'body_too_large',
      );
    },
  ),
  contract.rule(
    'a declared Content-Length over the limit is refused before the body is read;',
    async (service) => {
      assert.equal(await declared(service, '/v1/audio/analysis', 10 ** 9), '413 body_too_large');
    },
  ),
  contract.rule('a streamed body is cut off at the limit;', async (service) => {
    const head = [
      'POST /v1/audio/emotions HTTP/1.1',
      'Host: conformance',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Transfer-Encoding: chunked',
      '\r\n',
    ].join('\r\n');
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
    const chunk = (data: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
    const block = chunk(wavOfBytes(mebibyte));
    const blocks = [head, chunk(Buffer.from(part)), ...Array<Buffer>(31).fill(block)];
    const { status, body } = await sendRaw(service.base, blocks, { pauseMs: 1 });
    // Which of the two limits is met first depends on how the body is split into blocks.
    assert.match(`${status} ${JSON.parse(body).error.code}`, /^413 (file|body)_too_large$/);
  }),
  contract.rule(
    'duration is measured on decoded samples, never on container headers alone.',
    async (service) => {
      const lying = wavOf(8_000);
      // From 7fff0000 on it is what recorders write that leave the size open.
      lying.writeUInt32LE(2 ** 30, 40);
      rejected(await post(service, 'emotions', lying), 400, 'audio_undecodable');
      // Frames of two rates: whichever is counted, the other one is false.
      const frame = (rate: number, samples: number) => {
        return { rate, channels: 1, pcm: { constant: 100, samples } };
      };
      const frames = [frame(16, 16), ...Array.from({ length: 100 }, () => frame(16_000, 480))];
      const flac = flacFile({ rate: 16, channels: 1, samples: 0 }, frames);
      const answer = await post(service, 'emotions', flac);
      rejected(answer, 400, 'audio_undecodable');
    },
  ),
  contract.rule(
    'Durations are inclusive at both ends, at decoded sample precision; the common shapes take 0.1 s and more.',
    async (service) => {
      assert.equal(ok(await post(service, 'emotions', wavOf(1_600))).duration, 0.1);
      for (const path of common)
        rejected(await post(service, path, wavOf(1_599)), 400, 'audio_too_short');
      const almost = await post(service, 'emotions', wavOf(1_599));
      const [has, needed] = almost.body.error.message.match(/\d+(\.\d+)?/g).map(Number);
      assert.ok(has < needed, `${has} is less than ${needed}`);
      // The container names the microphone's rate, and the codec's delay is not part of the sound.
      const opus = await encode(wavOf(4 * 16_000), 'webm', ['-c:a', 'libopus']);
      assert.equal(ok(await post(service, 'emotions', opus)).duration, 4);
      rejected(
        await post(service, 'emotions', coarseWav(3_600 * 8_000 + 1)),
        400,
        'audio_too_long',
      );
      assert.equal(ok(await post(service, 'emotions', coarseWav(3_600 * 8_000))).duration, 3_600);
    },
  ),
  iface.rule('| Proficiency | 5 s to 10 minutes, 30 MB |', async (service) => {
    rejected(await post(service, 'proficiency', wavOf(79_999)), 400, 'audio_too_short');
    assert.equal(ok(await post(service, 'proficiency', wavOf(80_000))).duration, 5);
    rejected(await post(service, 'proficiency', coarseWav(600 * 8_000 + 1)), 400, 'audio_too_long');
    rejected(
      await post(service, 'proficiency', wavOfBytes(30 * mebibyte + 1)),
      413,
      'file_too_large',
    );
  }),
  iface.rule('| `X-Request-ID` | max length 128 characters |', async (service) => {
    const good = await service.get('/livez', { headers: { 'X-Request-ID': 'a'.repeat(128) } });
    assert.equal(good.headers.get('x-request-id'), 'a'.repeat(128));
    rejected(
      await service.get('/livez', { headers: { 'X-Request-ID': 'a'.repeat(129) } }),
      400,
      'invalid_request_id',
    );
  }),
  iface.rule(
    '| Lite model batch | audio up to 60 s; whole multipart body up to 4 MiB (4194304 bytes) |',
    async (service) => {
      rejected(
        await post(service, 'transcriptions', wavOfBytes(4 * mebibyte), [['model', 'svc-svceet']]),
        413,
        'body_too_large',
      );
    },
  ),
  iface.rule(
    '| Spectra-2 batch | 0.045-60 s; file max 4194304 bytes; multipart body max 4210688 bytes; mono, 16000 Hz;',
    async (service) => {
      const spectra = [['model', 'svc-spectra-2']] as const;
      rejected(await post(service, 'transcriptions', wavOf(719), spectra), 400, 'audio_too_short');
      assert.equal(ok(await post(service, 'transcriptions', wavOf(720), spectra)).duration, 0.045);
      rejected(
        await post(service, 'transcriptions', wavOf(960_001), spectra),
        400,
        'audio_too_long',
      );
      rejected(
        await post(service, 'transcriptions', wavOfBytes(4 * mebibyte + 1), spectra),
        413,
        'file_too_large',
      );
    },
  ),
  iface.rule(
    '| Resonance-2 | 0.1-120 s, max 30 MiB; 20-second windows, max 6 windows |',
    async (service) => {
      rejected(await post(service, 'resonance-2', wavOf(1_599)), 422, 'audio_too_short');
      rejected(await post(service, 'resonance-2', wavOf(120 * 16_000 + 1)), 422, 'audio_too_long');
      rejected(
        await post(service, 'resonance-2', wavOfBytes(30 * mebibyte + 1)),
        413,
        'file_too_large',
      );
      const longest = ok(await post(service, 'resonance-2', wavOf(120 * 16_000)));
      assert.deepEqual([longest.duration, longest.window_count], [120, 6]);
    },
    'resonance-2',
  ),
  iface.rule(
    '| Synthetic speech | 1-60 s, max 12 MiB; segments 1-10; warnings max 8; fixed threshold 0.5 |',
    async (service) => {
      rejected(await post(service, 'synthetic-speech', wavOf(15_999)), 422, 'audio_too_short');
      rejected(await post(service, 'synthetic-speech', wavOf(960_001)), 422, 'audio_too_long');
      rejected(
        await post(service, 'synthetic-speech', wavOfBytes(12 * mebibyte + 1)),
        413,
        'file_too_large',
      );
      const longest = ok(await post(service, 'synthetic-speech', wavOf(960_000)));
      assert.ok(longest.segments.length >= 1 && longest.segments.length <= 10);
    },
    'paid',
  ),
  iface.rule(
    '| Resonance-2 access request | body max 12 KB; use_case length 10-2000 |',
    async (service) => {
      const path = '/v1/models/svc-resonance-2/access';
      for (const length of [9, 2_001]) {
        rejected(await service.json(path, { use_case: 'x'.repeat(length) }), 400, 'invalid_field');
      }
    },
  ),
  contract.rule('Upload too slow: 408 upload_timeout.', async (service) => {
    const head = [
      'POST /v1/audio/emotions HTTP/1.1',
      'Host: conformance',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 100000',
      '\r\n--x\r\n',
    ].join('\r\n');
    const { status, body } = await sendRaw(service.base, [head]);
    assert.equal(`${status} ${JSON.parse(body).error.code}`, '408 upload_timeout');
  }),
  contract.untestable('No disk or storage: 503.', 'nothing of the deployment may be broken for it'),
  iface.untestable(
    'Per-key or per-organization request-rate numbers and concurrency figures: not shown.',
    'there is no number to test',
  ),
];
