// Turns request errors into 422: with a detail list for Resonance-2, the envelope for synthetic
// speech.
import type { Middleware } from 'koa';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';
import { toEnvelope } from '../errors.ts';

/** Makes the body of a 422. */
export type UnprocessableBody = (error: ServiceError, requestId: string) => object;

/** Errors of fields, models, multipart bodies and audio become 422; every other error passes. */
export function unprocessable(toBody: UnprocessableBody): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isUnprocessable = error instanceof ServiceError && [400, 415].includes(error.status);
      if (!isUnprocessable || error.code === 'invalid_request_id') throw error;
      ctx.status = 422;
      ctx.body = toBody(error, ctx.state.requestId);
    }
  };
}

/** interface.md, "Errors": `detail` with location, message and type. */
export function detailBody({ code, message, param, location }: ServiceError): object {
  const where = location ?? (code === 'unsupported_media_type' ? 'header' : 'body');
  return { detail: [{ loc: param ? [where, param] : [where], msg: message, type: code }] };
}

export const envelopeBody: UnprocessableBody = toEnvelope;
