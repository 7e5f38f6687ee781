// Keys, plans, access, suspended accounts: who may call what, decided before the body is read.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { answer, body } from '../corpus.ts';
import { wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Access control', 'interface.md');
const contract = section('Access control', 'contract.md');

const uploads = [
  'transcriptions',
  'emotions',
  'styles',
  'affect',
  'analysis',
  'proficiency',
  'resonance-2',
  'synthetic-speech',
].map((name) => `/v1/audio/${name}`);
const json = [
  '/v1/audio/sessions',
  '/v1/audio/stream-sessions',
  '/v1/client-token',
  '/v1/models/svc-resonance-2/access',
];
const gets = ['/v1/models', '/v1/models/svc-resonance-2/access', '/v1/models/svczero/access'];
const open = ['/v1/pricing', '/livez', '/readyz', '/v1/audio/resonance-2/health'];

async function everyProtected(
  service: Service,
  key: string | null,
  status: number,
  code: string,
): Promise<void> {
  const headers = key === null ? { Authorization: '' } : { Authorization: `Bearer ${key}` };
  for (const path of uploads) {
    rejected(await service.post(path, { file: wavOf(16_000), key }), status, code);
  }
  for (const path of json) rejected(await service.json(path, {}, headers), status, code);
  for (const path of gets) rejected(await service.get(path, { key }), status, code);
}

export const accessControl: readonly Entry[] = [
  iface.rule('8. An invalid or missing key yields 401.', async (service) => {
    await everyProtected(service, null, 401, 'invalid_api_key');
    await everyProtected(service, 'nonsense', 401, 'invalid_api_key');
    await everyProtected(
      service,
      `svc_live_0123456789abcdef_${'A'.repeat(43)}`,
      401,
      'invalid_api_key',
    );
  }),
  iface.rule(
    '1. Protected endpoints require an HTTP bearer API key: `Authorization: Bearer <API_KEY>`.',
    async (service) => {
      const headers = { Authorization: `Basic ${service.key}` };
      rejected(await service.get('/v1/models', { key: null, headers }), 401, 'invalid_api_key');
      ok(await service.get('/v1/models'));
      const { headers: got } = await answer(service, 'unauthorized');
      assert.match(got.get('www-authenticate') ?? '', /^Bearer/);
    },
  ),
  iface.rule(
    '2. Endpoints without authentication: `GET /v1/pricing`, `GET /livez`, `GET /readyz`, `GET /v1/audio/resonance-2/health`.',
    async (service) => {
      for (const path of open) ok(await service.get(path, { key: null }));
    },
  ),
  iface.rule('3. The same API key works across all models.', async (service) => {
    for (const name of [
      'transcription',
      'fourierTranscription',
      'lite',
      'spectra',
      'proficiency',
    ] as const) {
      ok(await answer(service, name));
    }
  }),
  contract.untestable(
    '- Keys are looked up by public prefix and compared in constant time, with a dummy comparison for unknown prefixes.',
    'time over a network says nothing about a comparison',
  ),
  contract.rule(
    '| 403 | permission_error | model_access_required, server_only, account_suspended |',
    (service) => everyProtected(service, service.keyOf('suspended'), 403, 'account_suspended'),
    'suspended',
  ),
  contract.rule(
    '| 402 | billing_error | allowance_exhausted, paid_plan_required |',
    async (service) => {
      // Of the same kind: the account's storage quota is used up.
      const request = { file: wavOf(16_000), key: service.keyOf('full') };
      const rejection = await service.post('/v1/files', request);
      rejected(rejection, 402, 'storage_quota_exceeded');
      assert.equal(rejection.body.error.type, 'billing_error');
    },
    'full',
  ),
  contract.untestable(
    '| 403 | permission_error | model_access_required, server_only, account_suspended |',
    'of a batch that runs: an account is not suspended from outside',
  ),
  contract.rule(
    'Allowance is checked at admission (anything left, or overage allowed)',
    async (service) => {
      const key = service.keyOf('empty');
      for (const path of uploads.filter((name) => !/resonance-2|synthetic/.test(name))) {
        rejected(
          await service.post(path, {
            file: Buffer.from('unread'),
            key,
            headers: { 'X-Svc-Session': 'x' },
          }),
          402,
          'allowance_exhausted',
        );
      }
      for (const path of ['/v1/audio/sessions', '/v1/client-token']) {
        const request = path.endsWith('token')
          ? {}
          : { model: 'svc-spectra-2', id: crypto.randomUUID() };
        for (const session of [{}, { 'X-Svc-Session': 'x' }]) {
          const headers = { Authorization: `Bearer ${key}`, ...session };
          rejected(await service.json(path, request, headers), 402, 'allowance_exhausted');
        }
      }
    },
    'empty',
  ),
  iface.rule(
    '| 403 | `model_access_required` | Resonance-2 without approved organization access; no inference, no billing |',
    async (service) => {
      const key = service.keyOf('unapproved');
      rejected(
        await service.post('/v1/audio/resonance-2', { file: wavOf(16_000), key }),
        403,
        'model_access_required',
      );
      const status = ok(await service.get('/v1/models/svc-resonance-2/access', { key }));
      assert.equal(status.approved, false);
    },
    'unapproved',
  ),
  contract.rule(
    'Access POST: 202 when it makes a request pending, 200 when one exists;',
    async (service) => {
      const headers = { Authorization: `Bearer ${service.keyOf('unapproved')}` };
      const path = '/v1/models/svc-resonance-2/access';
      const request = { use_case: 'Coaching of the agents of our call centre.' };
      const first = await service.json(path, request, headers);
      assert.ok([200, 202].includes(first.status), `${first.status}`);
      const again = await service.json(path, request, headers);
      assert.deepEqual([again.status, again.body.status], [200, 'pending']);
    },
    'unapproved',
  ),
  contract.untestable(
    'denied and revoked may ask again after 24 h (429 before)',
    'an operator would have to decide, and a day to pass',
  ),
  iface.rule(
    'Bearer key. JSON body: use_case (string, required, length 10-2000).',
    async (service) => {
      const path = '/v1/models/svc-resonance-2/access';
      rejected(await service.json(path, {}), 400, 'missing_field');
      rejected(await service.json(path, { use_case: 7 }), 400, 'invalid_field');
      rejected(await service.json(path, '{'), 400, 'invalid_json');
      const plain = { 'Content-Type': 'text/plain' };
      rejected(
        await service.json(path, { use_case: 'x'.repeat(20) }, plain),
        415,
        'unsupported_media_type',
      );
    },
  ),
  iface.rule(
    'Synthetic-speech detection requires an active paid plan (402 otherwise).',
    async (service) => {
      const key = service.keyOf('trial');
      const file = wavOf(16_000);
      rejected(
        await service.post('/v1/audio/synthetic-speech', { file, key }),
        402,
        'paid_plan_required',
      );
      rejected(await service.get('/v1/models/svczero/access', { key }), 402, 'paid_plan_required');
    },
    'trial',
  ),
  iface.rule(
    'Synthetic-speech detection is included with a paid plan at no extra charge',
    async (service) => {
      const { usage } = await body(service, 'synthetic');
      assert.deepEqual([usage.billable_seconds, Number(usage.estimated_cost_usd)], [0, 0]);
    },
    'paid',
  ),
  contract.rule(
    'the seventh required member is `object`, const `model.access`.',
    async (service) => {
      const entitlement = await body(service, 'entitlement');
      assert.equal(entitlement.object, 'model.access');
      assert.equal(Object.keys(entitlement).length, 7);
    },
    'paid',
  ),
  contract.rule('401 | authentication_error | invalid_api_key', async (service) => {
    const { error } = (await answer(service, 'unauthorized')).body;
    assert.deepEqual([error.type, error.code], ['authentication_error', 'invalid_api_key']);
  }),
  iface.untestable(
    'Accounts that hold only credits keep their credit balance.',
    'a balance is nothing that a caller sees',
  ),
  iface.untestable('Only usage beyond the allowance is billed.', 'invoices are made elsewhere'),
];
