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
import { runStep } from '../http/answer-pace.ts';
import { bodyPace } from '../http/body-pace.ts';
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
  const kept = keptDocuments();
  const descriptions = keptDocuments(maxAddresses);
  const references = keptDocuments(maxAddresses);
  const render = async (page: SitePage) => renderSitePage(page, await documents());
  const show = async (ctx: ParameterizedContext<RequestState>, html: Buffer): Promise<void> => {
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    await send(ctx, 'text/html; charset=utf-8', html);
  };
  router.get('/openapi.json', async (ctx) => {
    const url = publicAddress(ctx.state.connection, publicUrl);
    const text = () => JSON.stringify({ ...document(), servers: [{ url }] });
    await send(ctx, 'application/json', await descriptions(url, text));
  });
  router.get('/docs/assets/search.json', async (ctx) => {
    const text = async () => JSON.stringify(await index());
    await send(ctx, 'application/json', await kept('docs/assets/search.json', text));
  });
  router.get(`/docs/${referenceName}`, async (ctx) => {
    const base = publicAddress(ctx.state.connection, publicUrl);
    const page = () => {
      const headings = operationsOf(api()).map(({ id, summary }) => ({ id, text: summary }));
      const html = referenceHtml(api(), base);
      return render({ name: referenceName, title: 'API reference', html, headings });
    };
    await show(ctx, await references(base, page));
  });
  router.get('/docs{/*name}', async (ctx) => {
    const found = (await documents()).get(ctx.params.name ?? '');
    if (!found) throw new ServiceError('not_found', 'There is no document with this name.');
    const headings = found.headings.filter(({ level }) => level === 2);
    await show(ctx, await kept(`docs/${found.name}`, () => render({ ...found, headings })));
  });
}

/** No organization has this name. */
const nobody = '';

/** Everybody may read documents, so all readers together have a rate while others send bodies. */
async function send(
  ctx: ParameterizedContext<RequestState>,
  type: string,
  bytes: Buffer,
): Promise<void> {
  await bodyPace.passed(nobody, bytes.length);
  ctx.type = type;
  ctx.body = bytes;
}

/** Callers choose the address in some documents. */
const maxAddresses = 8;

/**
 * Documents as they are sent, by name; each is made when it is first read, and the oldest is
 * dropped for one beyond the limit.
 */
function keptDocuments(limit = Infinity) {
  const documents = new Map<string, Promise<Buffer>>();
  return (name: string, make: () => string | Promise<string>): Promise<Buffer> => {
    const known = documents.get(name);
    if (known) return known;
    const made = runStep(nobody, async () => Buffer.from(await make()));
    documents.set(name, made);
    made.catch(() => documents.delete(name));
    if (documents.size > limit) documents.delete(documents.keys().next().value!);
    return made;
  };
}

/** Makes a value when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
