// GET /openapi.json; /docs, the guides; /docs/reference, the API: all made when first read.
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
  const index = once(async () => searchIndex(await documents(), operationsOf(api())));
  const show = async (ctx: ParameterizedContext<RequestState>, page: SitePage): Promise<void> => {
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderSitePage(page, await documents());
  };
  router.get('/openapi.json', (ctx) => {
    const url = publicAddress(ctx.state.connection, publicUrl);
    ctx.body = { ...document(), servers: [{ url }] };
  });
  router.get('/docs/assets/search.json', async (ctx) => {
    ctx.body = await index();
  });
  router.get(`/docs/${referenceName}`, async (ctx) => {
    const base = publicAddress(ctx.state.connection, publicUrl);
    const headings = operationsOf(api()).map(({ id, summary }) => ({ id, text: summary }));
    const html = referenceHtml(api(), base);
    await show(ctx, { name: referenceName, title: 'API reference', html, headings });
  });
  router.get('/docs{/*name}', async (ctx) => {
    const found = (await documents()).get(ctx.params.name ?? '');
    if (!found) throw new ServiceError('not_found', 'There is no document with this name.');
    const headings = found.headings.filter(({ level }) => level === 2);
    await show(ctx, { ...found, headings });
  });
}

/** Makes a value when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
