// OpenAI's clients identify a piece of work by `Idempotency-Key`, which is the request id here.
import type { Middleware } from 'koa';
import { idempotencyKey } from '../http/idempotency.ts';
import { ServiceError, type ErrorCode } from '../../models/contract/errors.ts';
import { invalid } from '../http/form-errors.ts';
import type { RequestState } from '../http/request-state.ts';
import { WorkInHand } from '../runs/work-in-hand.ts';

/** @throws ServiceError invalid_field for an invalid key, or one that differs from the id */
export const idempotencyKeyAsRequestId: Middleware<RequestState> = async (ctx, next) => {
  const key = idempotencyKey(ctx);
  if (key !== null) {
    const given = ctx.get('X-Request-ID');
    if (given !== '' && given !== key) {
      const param = 'Idempotency-Key';
      throw invalid(param, '`Idempotency-Key` and `X-Request-ID` differ; send only one of them.');
    }
    ctx.state.requestId = key;
    ctx.set('X-Request-ID', key);
  }
  try {
    await next();
  } catch (error) {
    throw key === null ? error : namingKey(error);
  }
};

/** Codes that say so themselves. */
const ofWorkInHand: readonly ErrorCode[] = ['timeout', 'request_already_completed'];

/** OpenAI's clients repeat 409 and 5xx under new ids, unless they are told not to. */
export const withoutSecondWork: Middleware<RequestState> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const isKnown = error instanceof ServiceError && ofWorkInHand.includes(error.code);
    if (isKnown || error instanceof WorkInHand) {
      ctx.set('X-Should-Retry', 'false');
    }
    throw error;
  }
};

/** What is wrong with the id is wrong with the header that was sent. */
function namingKey(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.param !== 'X-Request-ID') return error;
  return new ServiceError(error.code, error.message, { param: 'Idempotency-Key' });
}
