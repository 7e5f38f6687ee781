// Endpoints that return credentials are closed to pages in a browser.
import type { Middleware, ParameterizedContext } from 'koa';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';

/** @throws 403 server_only */
export const serverOnly: Middleware<RequestState> = async (ctx, next) => {
  rejectBrowsers(ctx);
  await next();
};

/** Browsers send the page's origin, or its relation to this service. */
export function rejectBrowsers(ctx: Pick<ParameterizedContext, 'get'>): void {
  const site = ctx.get('Sec-Fetch-Site');
  if (ctx.get('Origin') === '' && (site === '' || site === 'none')) return;
  const message =
    'This endpoint returns credentials for servers; it cannot be called from a browser.';
  throw new ServiceError('server_only', message);
}
