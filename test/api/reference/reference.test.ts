// The OpenAPI document: complete, without lint warnings, with valid examples, and its page is
// served.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { exampleResults } from '../../../api/openapi/examples.ts';
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

test('the examples have the shapes that they are examples of', (t) => {
  t.notThrows(() => speechResultSchema.parse(exampleResults.transcription));
  t.notThrows(() => spectra2ResultSchema.parse(exampleResults.spectra2));
  t.notThrows(() => accessSchema.parse(exampleResults.access));
});

test('the reference page and what it loads are served', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const page = await fetch(`${base}/docs`);
  t.regex(page.headers.get('Content-Security-Policy') ?? '', /script-src 'self'/);
  const addresses = [...(await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)];
  t.is(addresses.length, 3);
  for (const [, address] of addresses) {
    const asset = await fetch(`${base}/${address}`);
    t.is(asset.status, 200, address);
    t.true((await asset.arrayBuffer()).byteLength > 50, address);
  }
});
