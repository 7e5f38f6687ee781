// Documents as pages, and requests of operations as samples.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { openApiDocument } from '../../../api/reference/document.ts';
import { toDocument } from '../../../api/reference/documents.ts';
import { operationsOf, type ApiDocument } from '../../../api/reference/operation.ts';
import { referenceHtml } from '../../../api/reference/reference-page.ts';
import { samplesOf } from '../../../api/reference/samples.ts';

const run = promisify(execFile);
const names = new Set(['', 'bulk', 'adr/0015-bulk']);
const html = (name: string, text: string): string => toDocument({ name, text }, names).html;

test('links lead to pages of the site; files that it does not serve are text', (t) => {
  const text =
    '[a](bulk.md#files) [b](adr/0015-bulk.md) [c](../models/x.ts) [d](https://d.example)';
  const shown = html('bulk', text);
  t.regex(shown, /href="\.\.\/docs\/bulk#files"/);
  t.regex(shown, /href="\.\.\/docs\/adr\/0015-bulk"/);
  t.regex(shown, / c <a href="https:\/\/d\.example">/);
  t.regex(html('', '[a](docs/bulk.md)'), /href="docs\/bulk"/);
  t.regex(html('adr/0015-bulk', '[a](../bulk.md)'), /href="\.\.\/\.\.\/docs\/bulk"/);
});

test('HTML and scripts of a document are shown, not run', (t) => {
  const shown = html('', '<script>alert(1)</script>\n\n`<b>`\n\n[x](javascript:alert(1))');
  t.notRegex(shown, /<script|javascript:/);
  t.regex(shown, /<code>&lt;b&gt;<\/code>/);
});

test('a comment of the file is not shown and not searched', (t) => {
  const text = '<!-- For the writer. -->\n\n# Title\n\nText.\n';
  const { html, sections } = toDocument({ name: 'a', text }, new Set(['a']));
  t.false(html.includes('writer'));
  t.false(sections.some((section) => section.text.includes('writer')));
});

test('equal headings have different ids, and each section its text', (t) => {
  const { headings, sections, title } = toDocument(
    { name: 'bulk', text: '# One\n\nfirst `word`\n\n## Two\n\n## Two\n\nlast' },
    names,
  );
  t.is(title, 'One');
  t.deepEqual(
    headings.map(({ id }) => id),
    ['one', 'two', 'two-1'],
  );
  t.deepEqual(
    sections.map(({ id, text }) => [id, text.trim()]),
    [
      ['one', 'first word'],
      ['two', ''],
      ['two-1', 'last'],
    ],
  );
});

const document = openApiDocument() as unknown as ApiDocument;
const operations = operationsOf(document);
const samples = (id: string) => {
  const operation = operations.find((each) => each.id === id)!;
  const { schemas } = document.components;
  return Object.fromEntries(
    samplesOf(operation, { base: 'https://s.example', schemas }).map(({ language, code }) => {
      return [language, code];
    }),
  );
};

test('the index of an item is a number', (t) => {
  const { paths } = openApiDocument();
  const parameters = paths!['/v1/batches/{id}/items/{index}/export']!.get!.parameters!;
  const index = parameters.find((each) => 'name' in each && each.name === 'index');
  t.like(index, { in: 'path', schema: { type: 'integer', minimum: 0 } });
});

test('an address is a URI, and an item of a batch has a file or a source, not both', (t) => {
  const { BatchRequest, HumeJobRequest, RecordingSource, WebhookTestRequest } = document.components
    .schemas as Record<string, any>;
  for (const address of [
    RecordingSource.properties.url,
    WebhookTestRequest.properties.url,
    BatchRequest.properties.webhook.properties.url,
    HumeJobRequest.properties.urls.items,
  ])
    t.like(address, { type: 'string', format: 'uri', maxLength: 2_048 });
  const { anyOf, ...rest } = BatchRequest.properties.items.items;
  t.false('type' in rest || 'properties' in rest);
  const given = anyOf.map(({ properties, required, additionalProperties }: any) => {
    t.false(additionalProperties);
    return [Object.keys(properties), required];
  });
  t.deepEqual(given, [
    [
      ['custom_id', 'file_id', 'metadata'],
      ['custom_id', 'file_id'],
    ],
    [
      ['custom_id', 'source', 'metadata'],
      ['custom_id', 'source'],
    ],
  ]);
});

test('no list has items without a schema, which generators of clients do not read', (t) => {
  const found: string[] = [];
  JSON.stringify(document, (name, value: unknown) => {
    if (name === 'items' && typeof value === 'boolean') found.push(name);
    return value;
  });
  t.deepEqual(found, []);
});

test('objects without a name have different ones in generated clients', (t) => {
  const names = new Map<string, string[]>();
  const visit = (schema: any, path: readonly string[]): void => {
    if (typeof schema !== 'object' || schema === null || '$ref' in schema) return;
    if (schema.properties) {
      const name = path
        .join('')
        .replaceAll(/_(.)|\W/g, '$1')
        .toLowerCase();
      names.set(name, [...(names.get(name) ?? []), path.join('.')]);
    }
    const members = Object.entries(schema.properties ?? {});
    for (const [member, own] of members) visit(own, [...path, member]);
    if (schema.items) visit(schema.items, [...path, 'Item']);
  };
  const all = Object.entries(document.components.schemas);
  for (const [name, schema] of all) visit(schema, [name]);
  const shared = [...names.values()].filter(({ length }) => length > 1);
  t.true(names.size > all.length / 2);
  t.deepEqual(shared, []);
});

test('only what makes something once takes an Idempotency-Key', (t) => {
  const keyed = operations.flatMap(({ id, method, parameters }) => {
    return parameters.some(({ name }) => name === 'Idempotency-Key') ? [`${method} ${id}`] : [];
  });
  t.true(keyed.length > 0);
  t.deepEqual(
    keyed.filter((each) => !each.startsWith('post ')),
    [],
  );
});

test('samples send the key, the file and what is required', (t) => {
  const { curl, TypeScript, Python } = samples('createAnalysis');
  t.regex(curl!, /-F file=@call\.wav/);
  t.regex(TypeScript!, /openAsBlob\('call\.wav'\)/);
  t.regex(Python!, /files=\{"file": open\("call\.wav", "rb"\)\}/);
  for (const code of [curl, TypeScript, Python]) {
    t.regex(code!, /SVC_API_KEY/);
    t.regex(code!, /https:\/\/s\.example\/v1\/audio\/analysis/);
  }
  t.notRegex(samples('getPricing').curl!, /SVC_API_KEY/);
});

test('every sample sends one body at most, and a shell reads it as it is meant', async (t) => {
  for (const { id } of operations) {
    const { curl, TypeScript, Python } = samples(id);
    t.false(/ -F /.test(curl!) && / -d /.test(curl!), id);
    t.true(TypeScript!.split('  body: ').length <= 2, id);
    t.false(/ files=/.test(Python!) && / json=/.test(Python!), id);
  }
  const { curl } = samples('startHumeJob');
  const told = curl!.replace('curl ', 'printf "%s|" ');
  const { stdout } = await run('bash', ['-c', told], { env: { SVC_API_KEY: 'key' } });
  t.deepEqual(stdout.split('|').slice(-5), [
    ...['-F', 'file=@call.wav', '-F', 'json={"models":{"prosody":{}}}', ''],
  ]);
});

test('of an operation that takes a form or JSON, both bodies are shown', (t) => {
  const page = referenceHtml(document, 'https://s.example');
  const sections = page.split('<section ').filter((section) => section.startsWith('class="oper'));
  const kinds = (id: string) => {
    const section = sections.find((each) => each.includes(`<h3 id="${id}">`))!;
    return [...section.matchAll(/<h4>Body <small>([^<]+)</g)].map(([, kind]) => kind);
  };
  const both = ['multipart/form-data', 'application/json'];
  t.deepEqual(['uploadFile', 'startHumeJob'].map(kinds), [both, both]);
  t.deepEqual(kinds('createAnalysis'), ['multipart/form-data']);
  t.deepEqual(kinds('createBatch'), ['application/json']);
});

test('a key of OpenAI’s clients is described as what it is', (t) => {
  const { parameters } = operations.find(({ id }) => id === 'createOpenAiTranscription')!;
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  t.regex(key?.description ?? key?.schema.description ?? '', /used up is 409, without its result/);
});
