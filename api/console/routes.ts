// The console, to which / leads: pages that use the API to send recordings, watch batches, search
// what is kept and play it.
import { randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import type { RequestState } from '../http/request-state.ts';
import { assetRoutes } from './assets.ts';
import { consoleDataRoutes } from './data.ts';
import { liveBody } from './live-page.ts';
import {
  batchBody,
  batchesBody,
  compareBody,
  overviewBody,
  recordingBody,
  recordingsBody,
} from './pages.ts';
import { renderPage, type Page } from './shell.ts';

type PageText = Omit<Page, 'nonce' | 'root'>;

const pages: Readonly<Record<string, PageText>> = {
  '/console': {
    title: 'Overview',
    current: 'Overview',
    module: 'overview.js',
    body: overviewBody,
  },
  '/console/live': { title: 'Live', current: 'Live', module: 'live.js', body: liveBody },
  '/console/recordings': {
    title: 'Recordings',
    current: 'Recordings',
    module: 'recordings.js',
    body: recordingsBody,
  },
  '/console/recording': {
    title: 'Recording',
    current: null,
    module: 'recording.js',
    body: recordingBody,
  },
  '/console/compare': {
    title: 'Two recordings',
    current: null,
    module: 'compare.js',
    body: compareBody,
  },
  '/console/batches': {
    title: 'Batches',
    current: 'Batches',
    module: 'batches.js',
    body: batchesBody,
  },
  '/console/batch': { title: 'Batch', current: null, module: 'batch.js', body: batchBody },
};

const missing: PageText = { title: 'Nothing here', current: null, module: 'missing.js', body: '' };

/** Forms are sent nowhere, so that no key can become part of an address. */
function contentSecurityPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
    "connect-src 'self'; media-src blob:; img-src 'self' data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'"
  );
}

export function consoleRoutes(router: Router<RequestState>, dependencies: BatchDependencies): void {
  router.get('/', (ctx) => {
    // For a program `/` is a path like any other that does not exist.
    if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/console');
  });
  for (const [path, page] of Object.entries(pages)) {
    router.get(path, (ctx) => showPage(ctx, page));
  }
  assetRoutes(router);
  consoleDataRoutes(router, dependencies);
  router.get('/console/*path', (ctx) => {
    if (ctx.accepts('json', 'html') !== 'html') {
      throw new ServiceError('not_found', `There is no ${ctx.method} ${ctx.path} here.`);
    }
    ctx.status = 404;
    showPage(ctx, missing);
  });
}

function showPage(ctx: ParameterizedContext<RequestState>, page: PageText): void {
  const nonce = randomBytes(16).toString('base64');
  const root = '../'.repeat(ctx.path.split('/').length - 2);
  ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce));
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = renderPage({ ...page, root, nonce });
}
