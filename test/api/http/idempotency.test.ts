// A conflict of a repeated request names the header that the caller sent.
import test, { type ExecutionContext } from 'ava';
import { replayed } from '../../../api/http/idempotency.ts';
import { idempotencyKeyAsRequestId } from '../../../api/openai-compatible/request-id.ts';
import { claimError } from '../../../api/runs/claim-error.ts';
import { ServiceError } from '../../../models/contract/errors.ts';

const conflict = { kind: 'rejected', code: 'idempotency_conflict' } as const;

function sending(headers: Readonly<Record<string, string>>) {
  return { get: (name: string) => headers[name] ?? '', set: () => {}, state: {} };
}

/** The key that is stored with what the first request created, and what the second one sends. */
function replayConflict(
  t: ExecutionContext,
  idempotencyKey: string,
  headers: Readonly<Record<string, string>>,
): ServiceError {
  const ctx = sending(headers) as unknown as Parameters<typeof replayed>[0];
  const created = { idempotencyKey, fingerprint: 'first' };
  return t.throws(() => replayed(ctx, created, { fingerprint: 'second' }), {
    instanceOf: ServiceError,
  })!;
}

test('of files and batches it is the key, of jobs their id', (t) => {
  const file = replayConflict(t, 'monday', { 'Idempotency-Key': 'monday', 'X-Request-ID': 'b' });
  t.like(file, { code: 'idempotency_conflict', param: 'Idempotency-Key' });
  t.is(file.message, 'This Idempotency-Key was used for a different request.');
  const headers = { 'Idempotency-Key': 'unread', 'X-Request-ID': 'id' };
  const job = replayConflict(t, 'hume id', headers);
  t.like(job, { code: 'idempotency_conflict', param: 'X-Request-ID' });
  t.is(job.message, 'This X-Request-ID was used for a different request.');
});

test("of OpenAI's clients it is the key, where they send one", async (t) => {
  type Ctx = Parameters<typeof idempotencyKeyAsRequestId>[0];
  for (const [header, param] of [
    ['Idempotency-Key', 'Idempotency-Key'],
    ['X-Request-ID', 'X-Request-ID'],
  ] as const) {
    const ctx = sending({ [header]: 'call-1' }) as unknown as Ctx;
    const answer = idempotencyKeyAsRequestId(ctx, () => Promise.reject(claimError(conflict)));
    const error = await t.throwsAsync(answer as Promise<void>, { instanceOf: ServiceError });
    t.like(error, { code: 'idempotency_conflict', param });
  }
});
