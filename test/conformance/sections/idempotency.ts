// Request ids: each one starts one piece of work, and a repeat has a defined answer.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { spoken, wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Request ids', 'interface.md');
const contract = section('Request ids', 'contract.md');
const path = '/v1/audio/emotions';
const fresh = (): string => `conformance-${randomUUID()}`;
const files = ['transcriptions', 'emotions', 'styles', 'affect', 'analysis', 'proficiency'];
const long = () => wavOf(80_000);

async function completed(service: Service): Promise<string> {
  const id = fresh();
  ok(await service.post(path, { file: wavOf(16_000), id }));
  return id;
}

export const idempotency: readonly Entry[] = [
  iface.rule('reuse of an id returns 409 and never creates a second debit.', async (service) => {
    for (const name of files) {
      const id = fresh();
      ok(await service.post(`/v1/audio/${name}`, { file: long(), id }));
      rejected(
        await service.post(`/v1/audio/${name}`, { file: long(), id }),
        409,
        'request_already_completed',
      );
    }
  }),
  iface.rule(
    '| 409 | `request_already_completed` | Spectra-2 request id already completed (result is not replayed) |',
    async (service) => {
      const id = fresh();
      const fields = [['model', 'svc-spectra-2']] as const;
      const first = ok(
        await service.post('/v1/audio/transcriptions', { file: wavOf(16_000), fields, id }),
      );
      const again = await service.post('/v1/audio/transcriptions', {
        file: wavOf(16_000),
        fields,
        id,
      });
      rejected(again, 409, 'request_already_completed');
      assert.ok(!JSON.stringify(again.body).includes(first.id));
    },
  ),
  iface.rule(
    '| 409 | `request_in_progress` | Spectra-2 request id pending or completion uncertain |',
    async (service) => {
      const id = fresh();
      const file = await spoken();
      const fields = [['model', 'svc-spectra-2']] as const;
      const all = await Promise.all(
        Array.from({ length: 12 }, () =>
          service.post('/v1/audio/transcriptions', { file, fields, id }),
        ),
      );
      assert.equal(all.filter(({ status }) => status === 200).length, 1, 'one of twelve at once');
      const codes = all.filter(({ status }) => status !== 200).map(({ body }) => body.error.code);
      assert.ok(codes.includes('request_in_progress'), codes.join());
      assert.ok(
        codes.every((code) => /^request_(in_progress|already_completed)$/.test(code)),
        codes.join(),
      );
    },
  ),
  iface.rule(
    '| 409 | `idempotency_conflict` | same organization and request id with changed audio bytes, task, model or key |',
    async (service) => {
      const id = await completed(service);
      const conflict = async (where: string, request: Parameters<Service['post']>[1]) =>
        rejected(
          await service.post(where, { file: wavOf(16_000), ...request, id }),
          409,
          'idempotency_conflict',
        );
      await conflict(path, { file: wavOf(16_001) });
      await conflict('/v1/audio/styles', {});
      await conflict(path, { fields: [['model', 'svc-fourier']] });
    },
  ),
  iface.rule(
    'same organization and request id with changed audio bytes, task, model or key |',
    async (service) => {
      const id = await completed(service);
      const request = { file: wavOf(16_000), id, key: service.keyOf('second') };
      rejected(await service.post(path, request), 409, 'idempotency_conflict');
    },
    'second',
  ),
  contract.rule('- Fingerprint: (audio sha256, task, model, options, key id);', async (service) => {
    const id = await completed(service);
    const fields = [['include_logits', 'true']] as const;
    rejected(
      await service.post(path, { file: wavOf(16_000), fields, id }),
      409,
      'idempotency_conflict',
    );
  }),
  contract.rule(
    'Fingerprint: (audio sha256, task, model, options, key id);',
    async (service) => {
      const id = fresh();
      const path = '/v1/audio/resonance-2';
      const send = (regime: string) =>
        service.post(`${path}?regime=${regime}`, { file: wavOf(16_000), id });
      ok(await send('f1'));
      rejected(await send('precision'), 409, 'idempotency_conflict');
      ok(await send('f1'));
    },
    'resonance-2',
  ),
  contract.rule(
    '- The workflow id of a request is derived from organization and request id',
    async (service) => {
      const id = await completed(service);
      ok(await service.post(path, { file: wavOf(16_000), id, key: service.keyOf('other') }));
    },
    'other',
  ),
  contract.rule(
    '- Nothing is stored, and the id stays unused, for whatever is refused before admission:',
    async (service) => {
      const id = fresh();
      const file = wavOf(16_000);
      rejected(
        await service.post(path, { file, id, fields: [['model', 'svc-nothing']] }),
        400,
        'model_not_found',
      );
      rejected(
        await service.post(path, { file, id, fields: [['diarize', 'x']] }),
        400,
        'invalid_field',
      );
      rejected(
        await service.post(path, { file: Buffer.from('text, no audio at all here'), id }),
        400,
        'unsupported_audio',
      );
      rejected(await service.post(path, { file, id, key: 'nonsense' }), 401, 'invalid_api_key');
      ok(await service.post(path, { file, id }));
    },
  ),
  contract.rule('failed by the decoded audio, the same 4xx again.', async (service) => {
    const id = fresh();
    const file = (await spoken()).subarray(0, 30_000);
    const [first, again] = [
      await service.post(path, { file, id }),
      await service.post(path, { file, id }),
    ];
    rejected(first, 400, 'audio_undecodable');
    assert.deepEqual(again.body, first.body);
    rejected(await service.post(path, { file: wavOf(16_000), id }), 409, 'idempotency_conflict');
  }),
  contract.rule(
    'The fingerprint is compared first, in every state: another one is 409 idempotency_conflict.',
    async (service) => {
      const id = fresh();
      const file = await spoken();
      const [first, other] = await Promise.all([
        service.post('/v1/audio/analysis', { file, id }),
        service.post(path, { file, id }),
      ]);
      const conflicting = first.status === 200 ? other : first;
      rejected(conflicting, 409, 'idempotency_conflict');
    },
  ),
  contract.rule(
    '- Resonance-2 and synthetic speech (interface.md gives them no 409 for a repeat): the same id and fingerprint joins the running work or runs again; at most one debit.',
    async (service) => {
      const id = fresh();
      const send = () => service.post('/v1/audio/resonance-2', { file: wavOf(16_000), id });
      const both = await Promise.all([send(), send()]);
      both.forEach(ok);
      ok(await send());
      rejected(
        await service.post('/v1/audio/resonance-2', { file: wavOf(16_001), id }),
        409,
        'idempotency_conflict',
      );
    },
    'resonance-2',
  ),
  contract.rule(
    '| 409 | conflict_error | request_in_progress, request_already_completed, idempotency_conflict, session_expired, direct_streaming_unavailable |',
    async (service) => {
      const id = await completed(service);
      const { body } = await service.post(path, { file: wavOf(16_000), id });
      assert.equal(body.error.type, 'conflict_error');
    },
  ),
  iface.untestable(
    'For network failures and 5xx, retry with the original request id and the same bytes.',
    'nothing of the deployment may be broken for it',
  ),
  contract.untestable(
    'failed by a 5xx, a new attempt of the same logical request;',
    'nothing of the deployment may be broken for it',
  ),
  contract.untestable(
    '- Debit and the move to `completed` are one database transaction.',
    'the ledger is not seen outside',
  ),
  contract.untestable(
    'A synchronous answer that takes longer than the configured deadline (default 300 s) is 504 timeout;',
    'the deadline of a deployment cannot be set from outside',
  ),
  iface.untestable(
    'Responses and audio are not retained for replay.',
    'storage is not seen outside; the 409 cases show that no result is replayed',
  ),
];
