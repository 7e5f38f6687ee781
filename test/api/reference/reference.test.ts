// The OpenAPI document: complete, without lint warnings, with valid examples, and its page is
// served.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { exampleResults } from '../../../api/openapi/examples.ts';
import { openApiDocument } from '../../../api/reference/document.ts';
import { accessSchema } from '../../../api/catalog/schemas.ts';
import { spectra2ResultSchema, speechResultSchema } from '../../../api/results/schemas.ts';
import { streamPaths } from '../../../models/contract/streams.ts';
import { testStack } from '../../support/stack.ts';

const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);

test('the document is linted without a warning and names every route', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  t.is(document.openapi, '3.1.0');
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = spawnSync(process.execPath, [redocly, 'lint', path, '--format=json'], {
    encoding: 'utf8',
    env: { ...process.env, ...quiet },
  });
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly object[] };
  t.deepEqual(problems, []);
  for (const [route, operations] of Object.entries(document.paths)) {
    for (const method of Object.keys(operations)) {
      const response = await fetch(base + route, { method: method.toUpperCase() });
      t.false([404, 405].includes(response.status), `${method} ${route}`);
    }
  }
  t.false(Object.keys(document.paths).includes(streamPaths.lite), 'streams are in AsyncAPI');
});

test('a 422 names the codes that it has', (t) => {
  const { paths } = openApiDocument();
  for (const path of ['/v1/audio/resonance-2', '/v1/audio/synthetic-speech']) {
    const { description } = paths![path]!.post!.responses!['422'] as { description: string };
    for (const code of ['missing_file', 'unknown_field', 'audio_too_long', 'model_retired']) {
      t.true(description.includes(`\`${code}\``), `${path} ${code}`);
    }
  }
});

test('the examples have the shapes that they are examples of', (t) => {
  t.notThrows(() => speechResultSchema.parse(exampleResults.transcription));
  t.notThrows(() => spectra2ResultSchema.parse(exampleResults.spectra2));
  t.notThrows(() => accessSchema.parse(exampleResults.access));
});

test('guides and reference are pages whose links and assets are served', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const seen = new Set<string>();
  for (const start of ['docs', 'docs/reference', 'docs/bulk', 'docs/adr/0015-bulk']) {
    const page = await fetch(`${base}/${start}`);
    t.is(page.status, 200, start);
    t.regex(page.headers.get('Content-Security-Policy') ?? '', /script-src 'self'/);
    const text = await page.text();
    t.notRegex(text, / style="|<script>/, start);
    for (const [, address] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
      const { origin, pathname } = new URL(address!, page.url);
      if (origin === base) seen.add(pathname);
    }
  }
  t.true(seen.size > 20, `${seen.size}`);
  for (const path of seen) t.is((await fetch(base + path)).status, 200, path);
  t.is((await fetch(`${base}/docs/none`)).status, 404);
  t.is((await fetch(`${base}/docs/..%2f..%2fpackage`)).status, 404);
  const found = (await (await fetch(`${base}/docs/assets/search.json`)).json()) as unknown[];
  t.true(found.length > 150, `${found.length} sections and operations`);
});
