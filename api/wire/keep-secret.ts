// Answers that carry a token or a key.
import type { ParameterizedContext } from 'koa';

/** No proxy and no browser keeps the answer. */
export function keepSecret(ctx: Pick<ParameterizedContext, 'set'>): void {
  ctx.set('Cache-Control', 'no-store');
}
