// Prepared sessions, stream sessions, slots, and the raw formats of Spectra-2.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { answer, prepare, streamSession } from '../corpus.ts';
import { wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Sessions', 'interface.md');
const contract = section('Sessions', 'contract.md');

const session = async (service: Service): Promise<any> => ok(await prepare(service));

/** Two sessions use up the account; the second one cannot reserve a second more than it has. */
async function fewSecondsLeft(service: Service): Promise<void> {
  const key = service.keyOf('small');
  const made = [];
  for (const seconds of [60, 40]) {
    const own = ok(await prepare(service, randomUUID(), key));
    assert.equal(own.capacity_seconds, seconds);
    made.push(own);
  }
  const [id] = made[1].request_ids;
  const rejection = await service.post('/v1/audio/transcriptions', {
    ...{ key, id, file: wavOf(40 * 16_000 + 1), headers: { 'X-Svc-Session': made[1].token } },
    fields: [['model', 'svc-spectra-2']],
  });
  rejected(rejection, 428, 'session_capacity_unavailable');
  assert.equal(rejection.headers.get('x-svc-admission'), 'not-admitted');
  assert.equal(rejection.headers.get('x-request-id'), id);
}

export const sessions: readonly Entry[] = [
  contract.rule(
    '- `token` matches `^ss1_[A-Za-z0-9_-]{80,1020}$`; `request_ids[i]` is `rg_` + lowercase hex of',
    async (service) => {
      const id = randomUUID();
      const made = ok(await prepare(service, id));
      assert.match(made.token, /^ss1_[A-Za-z0-9_-]{80,1020}$/);
      made.request_ids.forEach((given: string, i: number) => {
        const hash = createHash('sha256').update(`spectra2-slot\0${id}\0${i}`).digest('hex');
        assert.equal(given, `rg_${hash}`);
      });
    },
  ),
  contract.rule(
    '- Slots: 32 by default. Capacity: the seconds that the account can still cover, at most 32 x 30, and at most a tenth of what a limited allowance has left (but 60 s at least, if they are there)',
    async (service) => {
      const made = await session(service);
      assert.equal(made.request_ids.length, 32);
      assert.ok(made.capacity_seconds > 0 && made.capacity_seconds <= 960);
    },
  ),
  contract.rule('A session `id` used before: 409 request_already_completed.', async (service) => {
    const id = randomUUID();
    ok(await prepare(service, id));
    rejected(await prepare(service, id), 409, 'request_already_completed');
  }),
  iface.rule(
    'JSON body (no additional fields): model (const `svc-spectra-2`, required), id (string, UUID v4, required, new per setup attempt).',
    async (service) => {
      const post = (request: unknown) => service.json('/v1/audio/sessions', request);
      rejected(
        await post({ model: 'svc-resonance', id: randomUUID() }),
        400,
        'model_not_supported',
      );
      rejected(await post({ model: 'svc-spectra-2', id: 'x' }), 400, 'invalid_field');
      rejected(
        await post({ model: 'svc-spectra-2', id: '2f1f6c9e-6f0c-1c3e-9a55-3c1a5a9f6f10' }),
        400,
        'invalid_field',
      );
      rejected(await post({ model: 'svc-spectra-2' }), 400, 'missing_field');
      rejected(await post({ id: randomUUID() }), 400, 'missing_field');
    },
  ),
  contract.rule(
    "A forged or unknown token, another key's token, or an id that is not one of its slots: 400 invalid_field, ownership before expiry.",
    async (service) => {
      const made = await session(service);
      const forged = { ...made, token: `ss1_${'A'.repeat(80)}` };
      rejected(await streamSession(service, forged), 400, 'invalid_field');
      rejected(await streamSession(service, { ...made, token: 'x' }), 400, 'invalid_field');
      rejected(
        await streamSession(service, { ...made, request_ids: ['mine'] }),
        400,
        'invalid_field',
      );
    },
  ),
  contract.rule(
    "another key's token",
    async (service) => {
      const made = await session(service);
      const headers = { Authorization: `Bearer ${service.keyOf('second')}` };
      rejected(await streamSession(service, made, 0, headers), 400, 'invalid_field');
    },
    'second',
  ),
  contract.rule(
    '- Server-only (403 server_only): the request carries `Origin`, or `Sec-Fetch-Site` other than `none`.',
    async (service) => {
      const request = { model: 'svc-spectra-2', id: randomUUID() };
      for (const headers of [
        { Origin: 'https://example.org' },
        { 'Sec-Fetch-Site': 'same-origin' },
      ]) {
        rejected(
          await service.json('/v1/audio/sessions', request, headers as Record<string, string>),
          403,
          'server_only',
        );
      }
      const made = await session(service);
      rejected(
        await streamSession(service, made, 0, { Origin: 'https://example.org' }),
        403,
        'server_only',
      );
    },
  ),
  contract.rule('These endpoints send no CORS headers.', async (service) => {
    const { headers } = await answer(service, 'session');
    assert.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    );
  }),
  iface.rule(
    'Headers (both required): `X-Svc-Session` (the prepared-session token), `X-Request-ID` (one unused id supplied by that session).',
    async (service) => {
      const made = await session(service);
      const request = { model: 'svc-spectra-2', task: 'analysis' };
      const stream = '/v1/audio/stream-sessions';
      rejected(
        await service.json(stream, request, { 'X-Request-ID': made.request_ids[0] }),
        400,
        'missing_field',
      );
      rejected(
        await service.json(stream, request, { 'X-Svc-Session': made.token }),
        400,
        'missing_field',
      );
    },
  ),
  iface.rule(
    'JSON body (no additional fields): model (const `svc-spectra-2`), task (enum `transcription`, `analysis`), both required.',
    async (service) => {
      const made = await session(service);
      const headers = { 'X-Svc-Session': made.token, 'X-Request-ID': made.request_ids[0] };
      const post = (request: unknown) =>
        service.json('/v1/audio/stream-sessions', request, headers);
      rejected(await post({ model: 'svc-spectra-2' }), 400, 'missing_field');
      rejected(await post({ model: 'svc-spectra-2', task: 'emotion' }), 400, 'invalid_field');
      rejected(
        await post({ model: 'svc-resonance', task: 'analysis' }),
        400,
        'model_not_supported',
      );
      rejected(
        await post({ model: 'svc-spectra-2', task: 'analysis', more: 1 }),
        400,
        'unknown_field',
      );
      assert.equal(ok(await post({ model: 'svc-spectra-2', task: 'analysis' })).task, 'analysis');
    },
  ),
  iface.rule(
    'a client deducts each recording duration rounded up to whole seconds before dispatch, including uncertain attempts; the server enforces capacity',
    async (service) => {
      const made = await session(service);
      const { max_audio_seconds: most } = ok(await streamSession(service, made, 0));
      assert.ok(most > 20 && most <= 30, `${most}`);
    },
  ),
  contract.rule(
    'and at most a tenth of what a limited allowance has left',
    async (service) => {
      // What the first session reserved is not available to the second one.
      for (const seconds of [600, 540]) {
        const made = ok(await prepare(service, randomUUID(), service.keyOf('limited')));
        assert.equal(made.capacity_seconds, seconds);
      }
    },
    'limited',
  ),
  contract.rule('(but 60 s at least, if they are there);', fewSecondsLeft, 'small'),
  contract.untestable(
    '- Sessions switched off or no Spectra-2 bundle: 404 session_unavailable; direct streaming switched off: 409 direct_streaming_unavailable;',
    'a deployment is not switched from outside',
  ),
  iface.rule('| 400 | invalid model, task, session or request id |', async (service) => {
    const rejection = await streamSession(service, { token: 'ss1_x', request_ids: ['y'] });
    rejected(rejection, 400, 'invalid_field');
  }),
  iface.rule('| 401 | an API bearer key is required |', async (service) => {
    rejected(
      await service.json('/v1/audio/sessions', {}, { Authorization: '' }),
      401,
      'invalid_api_key',
    );
  }),
  iface.rule(
    '| 402 | insufficient account allowance or credits |',
    async (service) => {
      const headers = { Authorization: `Bearer ${service.keyOf('empty')}` };
      const request = { model: 'svc-spectra-2', id: randomUUID() };
      rejected(
        await service.json('/v1/audio/sessions', request, headers),
        402,
        'allowance_exhausted',
      );
    },
    'empty',
  ),
  iface.rule(
    '| 403 | account access unavailable, or server-only request made from a browser |',
    async (service) => {
      const headers = { Authorization: `Bearer ${service.keyOf('suspended')}` };
      rejected(await service.json('/v1/audio/sessions', {}, headers), 403, 'account_suspended');
    },
    'suspended',
  ),
  iface.untestable(
    '| 404 | preparation unavailable for this session; use an ordinary speech request |',
    'a deployment is not switched from outside',
  ),
  iface.untestable(
    '| 429 | session setup busy; wait before preparing another recording |',
    'the capacity of a deployment is not known outside',
  ),
  iface.untestable(
    '| 503 | setup could not be confirmed;',
    'nothing of the deployment may be broken for it',
  ),
];
