// Resonance-2 answers what is wrong with a request as 422 with a list: interface.md, "Errors".
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';
import { drainUnread } from '../upload/drain.ts';

/** Field, model, multipart and audio errors become `detail[]`; everything else passes. */
export function validationDetail(): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refused = error instanceof ServiceError && [400, 415].includes(error.status);
      if (!refused || error.code === 'invalid_request_id') throw error;
      const { code, message, param } = error;
      const place = param === 'regime' ? 'query' : param === 'Content-Type' ? 'header' : 'body';
      ctx.status = 422;
      ctx.body = { detail: [{ loc: param ? [place, param] : [place], msg: message, type: code }] };
      drainUnread(ctx.req);
    }
  };
}
