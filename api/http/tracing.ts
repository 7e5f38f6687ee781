// A server span per request, within the caller's trace when it sends one; spans hold ids, but no
// content and no keys.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { answeredStatus } from './answered-status.ts';
import type { RequestState } from './request-state.ts';

/** Has no cost while no tracer is registered. */
export function traceRequests(): Middleware<RequestState> {
  const tracer = trace.getTracer('svc-speech');
  return async (ctx, next) => {
    const parent = propagation.extract(context.active(), ctx.headers);
    const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER }, parent);
    try {
      await context.with(trace.setSpan(parent, span), next);
    } finally {
      const { _matchedRoute: route } = ctx as { readonly _matchedRoute?: string };
      if (route) span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({
        'http.request.method': ctx.method,
        'http.response.status_code': answeredStatus(ctx),
        ...(route !== undefined && { 'http.route': route }),
        'svc.request_id': ctx.state.requestId,
      });
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  };
}
