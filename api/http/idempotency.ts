// `Idempotency-Key`: the same request again is answered with what the first one made.
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { isRequestId, requestIdError } from '../../models/contract/request-id.ts';

const header = 'Idempotency-Key';

/** null without one. @throws ServiceError invalid_field */
export function idempotencyKey(ctx: Pick<ParameterizedContext, 'get'>): string | null {
  const key = ctx.get(header);
  if (key === '') return null;
  if (isRequestId(key)) return key;
  throw new ServiceError('invalid_field', requestIdError(header, key), { param: header });
}

interface Made {
  readonly fingerprint: string | null;
}

/**
 * What the first request with this key made, marked as a replay.
 * @throws ServiceError idempotency_conflict when that one said something else
 */
export function replayed<T extends Made>(
  ctx: Pick<ParameterizedContext, 'set'>,
  made: T | null,
  fingerprint: string,
): T {
  if (!made) throw beingDeleted();
  if (made.fingerprint !== fingerprint) {
    const message = `This ${header} was used for another request.`;
    throw new ServiceError('idempotency_conflict', message, { param: header });
  }
  ctx.set('Idempotency-Replayed', 'true');
  return made;
}

/** Between finding what a key has made and using it, it went. */
export function beingDeleted(): ServiceError {
  const message = 'What this key has made is being deleted; send the request again.';
  return new ServiceError('not_ready', message);
}
