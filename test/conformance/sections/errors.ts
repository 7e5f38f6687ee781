// The envelope, its types and headers, and malformed HTTP.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { answer } from '../corpus.ts';
import { encoded, spoken, wavOf } from '../recordings.ts';
import { rejected, type Service } from '../service.ts';

const contract = section('Errors', 'contract.md');
const emotions = '/v1/audio/emotions';

const garbled = async (
  service: Service,
  bodyText: string,
  type = 'multipart/form-data; boundary=x',
) => {
  const response = await fetch(service.base + emotions, {
    method: 'POST',
    body: bodyText,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': type },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as any,
  };
};

export const errors: readonly Entry[] = [
  contract.rule(
    'Envelope everywhere (but for Resonance-2\'s 422): `{"error":{"type","code","message","param","request_id"}}`, `Content-Type: application/json`,',
    async (service) => {
      const all = [
        await answer(service, 'missingFile'),
        await answer(service, 'unauthorized'),
        await service.get('/v1/nothing'),
        await service.request('DELETE', '/v1/models'),
        await service.json('/v1/audio/sessions', '['),
      ];
      for (const { headers, body } of all) {
        assert.match(headers.get('content-type') ?? '', /^application\/json/);
        assert.deepEqual(Object.keys(body), ['error']);
        assert.deepEqual(Object.keys(body.error).sort(), [
          'code',
          'message',
          'param',
          'request_id',
          'type',
        ]);
      }
    },
  ),
  contract.rule(
    'and the same id in the `X-Request-ID` response header of every response, success or failure.',
    async (service) => {
      const id = `conformance-${randomUUID()}`;
      const headers = { 'X-Request-ID': id };
      for (const path of ['/livez', '/v1/models', '/v1/nothing', '/v1/audio/spectra-2/stream']) {
        const { headers: got, body } = await service.get(path, { headers });
        assert.equal(got.get('x-request-id'), id, path);
        if (body.error) assert.equal(body.error.request_id, id);
      }
      assert.ok((await answer(service, 'transcription')).headers.get('x-request-id'));
    },
  ),
  contract.rule(
    'No `X-Request-ID`: the server makes a UUID v4 and returns it.',
    async (service) => {
      const { headers } = await service.get('/livez');
      assert.match(
        headers.get('x-request-id') ?? '',
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  ),
  contract.rule(
    '| 400 | invalid_request_error | missing_file, missing_field, invalid_field, unknown_field, duplicate_field, invalid_json, invalid_multipart, unsupported_audio,',
    async (service) => {
      rejected(await garbled(service, '--x\r\nbroken'), 400, 'invalid_multipart');
      rejected(
        await garbled(service, 'no parts at all', 'multipart/form-data'),
        400,
        'invalid_multipart',
      );
      const text = await service.post(emotions, {
        file: Buffer.from('hello, this is text and no audio at all'),
      });
      rejected(text, 400, 'unsupported_audio');
      assert.equal(text.body.error.type, 'invalid_request_error');
      const header = (await spoken()).subarray(0, 44);
      const broken = await service.post(emotions, {
        file: Buffer.concat([header, Buffer.from('x')]),
      });
      rejected(broken, 400, 'audio_undecodable');
    },
  ),
  contract.rule(
    'audio_undecodable, audio_too_short, audio_too_long, model_not_found, model_not_supported, model_retired, diarization_unsupported, invalid_request_id |',
    async (service) => {
      const half = (await spoken()).subarray(0, 40_000);
      rejected(await service.post(emotions, { file: half }), 400, 'audio_undecodable');
      rejected(await service.post(emotions, { file: wavOf(100) }), 400, 'audio_too_short');
      rejected(
        await service.get('/livez', { headers: { 'X-Request-ID': 'has space' } }),
        400,
        'invalid_request_id',
      );
    },
  ),
  contract.rule(
    'Truncation is detected where the container declares a length or an end;',
    async (service) => {
      for (const format of ['flac', 'mp3', 'm4a'] as const) {
        const whole = await encoded(format);
        const half = whole.subarray(0, Math.floor(whole.length / 2));
        rejected(await service.post(emotions, { file: half }), 400, 'audio_undecodable');
      }
    },
  ),
  contract.rule(
    '| 404 / 405 | invalid_request_error | not_found, session_unavailable, method_not_allowed (with `Allow`) |',
    async (service) => {
      const missing = await service.get('/v1/nothing');
      rejected(missing, 404, 'not_found');
      assert.equal(missing.body.error.type, 'invalid_request_error');
      for (const [method, path, allow] of [
        ['GET', emotions, 'POST'],
        ['DELETE', '/v1/models', 'GET'],
        ['PUT', '/v1/audio/sessions', 'POST'],
        ['POST', '/livez', 'GET'],
      ] as const) {
        const got = await service.request(method, path);
        rejected(got, 405, 'method_not_allowed');
        assert.match(got.headers.get('allow') ?? '', new RegExp(allow));
      }
    },
  ),
  contract.rule(
    '| 413 | invalid_request_error | body_too_large, file_too_large |',
    async (service) => {
      const got = await service.json('/v1/audio/sessions', { model: 'x'.repeat(10_000) });
      rejected(got, 413, 'body_too_large');
      assert.equal(got.body.error.type, 'invalid_request_error');
    },
  ),
  contract.rule('| 415 | invalid_request_error | unsupported_media_type |', async (service) => {
    rejected(await garbled(service, '{}', 'application/json'), 415, 'unsupported_media_type');
    const plain = { 'Content-Type': 'text/plain' };
    rejected(await service.json('/v1/audio/sessions', '{}', plain), 415, 'unsupported_media_type');
  }),
  contract.rule(
    '| 426 | invalid_request_error | upgrade_required (plain GET on a stream path) |',
    async (service) => {
      for (const path of ['/v1/audio/spectra-2/stream', '/v1/audio/transcriptions/stream']) {
        const got = await service.get(path);
        rejected(got, 426, 'upgrade_required');
        assert.match(got.headers.get('upgrade') ?? '', /websocket/i);
      }
    },
  ),
  contract.rule(
    '| 402 | billing_error | allowance_exhausted, paid_plan_required |',
    async (service) => {
      const got = await service.post(emotions, {
        file: wavOf(16_000),
        key: service.keyOf('empty'),
      });
      rejected(got, 402, 'allowance_exhausted');
      assert.equal(got.body.error.type, 'billing_error');
    },
    'empty',
  ),
  contract.rule(
    '`message` says what was wrong, what is allowed and, where known, what was received.',
    async (service) => {
      const { body } = await service.post(emotions, {
        file: wavOf(1_600),
        fields: [
          ['diarize', 'true'],
          ['num_speakers', '99'],
        ],
      });
      assert.match(body.error.message, /num_speakers.*1.*32.*99/);
      assert.equal(body.error.param, 'num_speakers');
    },
  ),
  contract.rule('No stack, path, SQL or key in any body.', async (service) => {
    const odd = await service.post(emotions, {
      file: Buffer.from('RIFF\0\0\0\0WAVEfmt '),
      fields: [['model', "'; DROP"]],
    });
    assert.doesNotMatch(
      JSON.stringify(odd.body),
      /node_modules|at [A-Z]\w+ \(|SELECT |svc_(live|test)_/,
    );
  }),
];
