// Requests at the edge of what is accepted: models of other endpoints, empty bodies, odd ids.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { answer, prepare } from '../corpus.ts';
import { everywhere, postForm } from '../forms.ts';
import { encoded, spoken, wavOf, wavOfBytes } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Requests', 'interface.md');
const contract = section('Requests', 'contract.md');

const models = [
  ['svc-spectra-1', 'model_retired'],
  ['resonance', 'model_retired'],
  ['svc-proficiency-1', 'model_not_supported'],
  ['svc-nothing', 'model_not_found'],
] as const;

/** Each kind of model that the endpoint does not accept. */
async function modelsOf(service: Service, path: string, status: number): Promise<void> {
  for (const [model, code] of models) {
    const request = { file: wavOf(16_000), fields: [['model', model]] as const };
    rejected(await service.post(path, request), status, code);
  }
}

/** A body without a type or a declared length. */
async function clientToken(service: Service, body: string): Promise<number> {
  const response = await fetch(`${service.base}/v1/client-token`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}` },
    body: new Blob([body]).stream(),
    duplex: 'half',
  });
  await response.arrayBuffer();
  return response.status;
}

export const requestEdges: readonly Entry[] = [
  iface.rule(
    'Retired ids return 400 `model_retired`.',
    async (service) => {
      await modelsOf(service, '/v1/audio/resonance-2', 422);
    },
    'resonance-2',
  ),
  contract.rule(
    'A model on an endpoint that lacks it: 400 model_not_supported.',
    async (service) => {
      await modelsOf(service, '/v1/audio/synthetic-speech', 422);
    },
    'paid',
  ),
  contract.rule('Unknown id: 400 model_not_found.', async (service) => {
    for (const [model, code] of models) {
      const id = randomUUID();
      rejected(await service.json('/v1/audio/sessions', { model, id }), 400, code);
    }
  }),
  contract.rule('body empty or `{}`.', async (service) => {
    assert.equal(await clientToken(service, ''), 200);
    assert.equal(await clientToken(service, '{}'), 200);
    assert.equal(await clientToken(service, '{"more":1}'), 400);
    const plain = { 'Content-Type': 'text/plain' };
    rejected(await service.json('/v1/client-token', '{}', plain), 415, 'unsupported_media_type');
  }),
  iface.rule(
    'Validation failures of Resonance-2 (422) use a different body: `detail` is an array of items',
    async (service) => {
      const path = '/v1/audio/resonance-2';
      const file = wavOf(16_000);
      const inForm = await service.post(path, { file, fields: [['regime', 'f1']] });
      assert.deepEqual(inForm.body.detail[0].loc, ['body', 'regime']);
      const inQuery = await service.post(`${path}?regime=x`, { file });
      assert.deepEqual(inQuery.body.detail[0].loc, ['query', 'regime']);
    },
    'resonance-2',
  ),
  contract.rule(
    'every field, model, multipart and audio error is 422 (Resonance-2 as `detail[]`, also a bad `regime`; synthetic as envelope); too large is 413 with the envelope on both.',
    async (service) => {
      for (const [path, isDetail] of [
        ['/v1/audio/resonance-2', true],
        ['/v1/audio/synthetic-speech', false],
      ] as const) {
        const broken = Buffer.from('--b\r\nbroken');
        const form = { 'Content-Type': 'multipart/form-data; boundary=b' };
        const unreadable = await service.sendBytes(path, broken, form);
        rejected(unreadable, 422, 'invalid_multipart');
        assert.deepEqual(Object.keys(unreadable.body), [isDetail ? 'detail' : 'error'], path);
        const large = await service.post(path, { file: wavOfBytes(31 * 2 ** 20) });
        assert.deepEqual([large.status, Object.keys(large.body)], [413, ['error']], path);
      }
    },
    'resonance-2',
  ),
  iface.rule('raw PCM requires its MIME type;', async (service) => {
    const fields = [['model', 'svc-spectra-2']] as const;
    for (const type of ['audio/pcm', 'audio/f32le']) {
      for (const file of [await spoken(), await encoded('flac'), await encoded('ogg')]) {
        const got = await service.post('/v1/audio/transcriptions', { file, type, fields });
        rejected(got, 400, 'unsupported_audio');
      }
    }
  }),
  contract.rule(
    'The common shape takes an optional `language` (one of the 25, or `auto`, the default) that fixes it.',
    async (service) => {
      for (const language of ['auto', 'en', 'uk']) {
        const result = ok(await postForm(service, 'transcriptions', [['language', language]]));
        assert.equal(result.language, language === 'auto' ? 'en' : language);
      }
      assert.equal(ok(await postForm(service, 'emotions', [['language', 'it']])).language, null);
      await everywhere(service, [['language', 'ja']], [400, 'invalid_field']);
      await everywhere(service, [['language', 'en-US']], [400, 'invalid_field']);
    },
  ),
  contract.rule('A session `id` used before: 409 request_already_completed.', async (service) => {
    const id = randomUUID();
    ok(await prepare(service, id.toUpperCase()));
    rejected(await prepare(service, id), 409, 'request_already_completed');
  }),
  iface.rule(
    '4. Prepared sessions: the session token is sent as header `X-Svc-Session` together with the same API key; it is private.',
    async (service) => {
      for (const name of ['session', 'streamSession', 'clientToken'] as const) {
        const { headers } = await answer(service, name);
        assert.equal(headers.get('cache-control'), 'no-store', name);
      }
    },
  ),
  contract.rule(
    '`message` says what was wrong, what is allowed and, where known, what was received.',
    async (service) => {
      const { body } = await service.get('/livez', { headers: { 'X-Request-ID': 'x y' } });
      assert.match(body.error.message, /128 visible ASCII.*character 2 is a space/);
    },
  ),
  contract.rule('A field or file given twice is refused everywhere.', async (service) => {
    for (const [path, body] of [
      ['/v1/audio/sessions', '{"model":"svc-spectra-2","model":"svc-spectra-2"}'],
      ['/v1/audio/sessions', '{"model":"svc-spectra-2","\\u006dodel":"svc-spectra-2"}'],
      ['/v1/files/presign', '{"filename":"a.wav","bytes":1,"bytes":2}'],
      ['/v1/batches', '{"task":"emotion","items":[{"custom_id":"a","custom_id":"b"}]}'],
      ['/v1/client-token', '{"model":1,"model":1}'],
    ] as const) {
      rejected(await service.json(path, body), 400, 'duplicate_field');
    }
  }),
];
