// GET /openapi.json; /docs, the guides; /docs/reference, the API: all made when first read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { openApiDocument } from './document.ts';
import { readDocuments } from './documents.ts';
import { operationsOf, type ApiDocument } from './operation.ts';
import { referenceHtml } from './reference-page.ts';
import { referenceName, renderSitePage, searchIndex, type SitePage } from './site.ts';
import type { RequestState } from '../http/request-state.ts';
import { publicAddress } from '../http/public-address.ts';

export interface ReferenceDependencies {
  /** Base address for clients; null takes the one of the request. */
  readonly publicUrl: string | null;
}

const folder = join(import.meta.dirname, 'page');

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function referenceRoutes(
  router: Router<RequestState>,
  { publicUrl }: ReferenceDependencies,
): void {
  const document = once(openApiDocument);
  const documents = once(readDocuments);
  // What is read are members that every OpenAPI document has.
  const api = (): ApiDocument => document() as unknown as ApiDocument;
  const index = once(() => searchIndex(documents(), operationsOf(api())));
  const show = (ctx: ParameterizedContext<RequestState>, page: SitePage): void => {
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderSitePage(page, documents());
  };
  router.get('/openapi.json', (ctx) => {
    const url = publicAddress(ctx.state.connection, publicUrl);
    ctx.body = { ...document(), servers: [{ url }] };
  });
  router.get('/docs/assets/search.json', (ctx) => {
    ctx.body = index();
  });
  for (const [name, type] of [
    ['docs.css', 'text/css; charset=utf-8'],
    ['docs.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const text = readFileSync(join(folder, name), 'utf8');
    router.get(`/docs/assets/${name}`, (ctx) => {
      ctx.type = type;
      ctx.body = text;
    });
  }
  router.get(`/docs/${referenceName}`, (ctx) => {
    const base = publicAddress(ctx.state.connection, publicUrl);
    const headings = operationsOf(api()).map(({ id, summary }) => ({ id, text: summary }));
    const html = referenceHtml(api(), base);
    show(ctx, { name: referenceName, title: 'API reference', html, headings });
  });
  router.get('/docs{/*name}', (ctx) => {
    const found = documents().get(ctx.params.name ?? '');
    if (!found) throw new ServiceError('not_found', 'There is no document with this name.');
    const headings = found.headings.filter(({ level }) => level === 2);
    show(ctx, { ...found, headings });
  });
}

/** Makes a value when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
