// `Idempotency-Key`: a repeated request is answered with what the first one created.
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { isRequestId, requestIdError } from '../../models/contract/request-id.ts';
import type { RequestState } from './request-state.ts';

const header = 'Idempotency-Key';

/** null without the header. @throws ServiceError invalid_field */
export function idempotencyKey(ctx: Pick<ParameterizedContext, 'get'>): string | null {
  const key = ctx.get(header);
  if (key === '') return null;
  if (isRequestId(key)) return key;
  throw new ServiceError('invalid_field', requestIdError(header, key), { param: header });
}

/** Finds what an earlier request with this key created. @throws ServiceError invalid_field */
export async function findCreated<T>(
  ctx: Pick<ParameterizedContext<RequestState>, 'get' | 'state'>,
  find: (organizationId: string, key: string) => Promise<T | null>,
): Promise<T | null> {
  const key = idempotencyKey(ctx);
  return key === null ? null : find(ctx.state.account.organizationId, key);
}

/** What a repeated request says. */
export interface Repeated {
  readonly fingerprint: string;
  /** The same as another version writes it; absent where no version differs. */
  readonly otherFingerprint?: string;
}

interface Fingerprinted {
  readonly fingerprint: string | null;
  readonly idempotencyKey: string | null;
}

/**
 * Returns what the first request with this key created, and marks the answer as a replay.
 * @throws ServiceError idempotency_conflict when the first request was a different one
 */
export function replayed<T extends Fingerprinted>(
  ctx: Pick<ParameterizedContext, 'get' | 'set'>,
  created: T | null,
  { fingerprint, otherFingerprint = fingerprint }: Repeated,
): T {
  if (!created) throw beingDeleted();
  if (![fingerprint, otherFingerprint].includes(created.fingerprint ?? '')) {
    // The key of a job is made of its request id.
    const sent = ctx.get(header) === created.idempotencyKey ? header : 'X-Request-ID';
    const message = `This ${sent} was used for a different request.`;
    throw new ServiceError('idempotency_conflict', message, { param: sent });
  }
  ctx.set('Idempotency-Replayed', 'true');
  return created;
}

/** The resource that the key created was deleted between the look-up and its use. */
export function beingDeleted(): ServiceError {
  const message = 'The resource that this key created is being deleted; send the request again.';
  return new ServiceError('not_ready', message);
}
