// GET /openapi.json, and the reference page at /docs that reads it.
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Router from '@koa/router';
import { openApiDocument } from './document.ts';
import type { RequestState } from '../http/request-state.ts';
import { publicAddress } from '../http/public-address.ts';

export interface ReferenceDependencies {
  /** Base address for clients; null takes the one of the request. */
  readonly publicUrl: string | null;
}

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const assetTypes = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
} as const;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Speech analysis: reference</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

/** A separate script, so that the page can forbid every inline script. */
const script = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
});
`;

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

export function referenceRoutes(
  router: Router<RequestState>,
  { publicUrl }: ReferenceDependencies,
): void {
  let document: ReturnType<typeof openApiDocument> | undefined;
  router.get('/openapi.json', (ctx) => {
    const url = publicAddress(ctx.state.connection, publicUrl);
    document ??= openApiDocument();
    ctx.body = { ...document, servers: [{ url }] };
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = page;
  });
  router.get('/docs/page.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = script;
  });
  for (const [name, type] of Object.entries(assetTypes)) {
    router.get(`/docs/${name}`, (ctx) => {
      ctx.type = type;
      ctx.body = createReadStream(join(assets, name));
    });
  }
}
