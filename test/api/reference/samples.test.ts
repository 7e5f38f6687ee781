// What the samples of the reference send is what the service takes.
import test from 'ava';
import { parseBatch } from '../../../api/batches/parse-batch.ts';
import { exportQuerySchema } from '../../../api/batches/schemas.ts';
import { accessRequestSchema } from '../../../api/catalog/schemas.ts';
import { presignRequestSchema } from '../../../api/files/schemas.ts';
import { checkJson } from '../../../api/http/parse-json.ts';
import { openApiDocument } from '../../../api/reference/document.ts';
import {
  operationsOf,
  type ApiDocument,
  type Operation,
} from '../../../api/reference/operation.ts';
import { samplesOf } from '../../../api/reference/samples.ts';
import {
  clientTokenRequestSchema,
  sessionRequestSchema,
  streamSessionHeaders,
  streamSessionRequestSchema,
} from '../../../api/sessions/schemas.ts';
import { webhookTestSchema } from '../../../api/webhooks/schemas.ts';

const document = openApiDocument() as unknown as ApiDocument;
const { schemas } = document.components;
const operations = operationsOf(document);
const codesOf = (operation: Operation): readonly string[] =>
  samplesOf(operation, { base: 'https://s.example', schemas }).map(({ code }) => code);
const curlOf = (operation: Operation): string => codesOf(operation)[0]!;

/** What each endpoint does with a body, before anything that depends on the account. */
const parsers: Readonly<Record<string, (body: string) => unknown>> = {
  createBatch: (body) => parseBatch(Buffer.from(body)),
  presignFile: (body) => checkJson(JSON.parse(body), presignRequestSchema),
  testWebhook: (body) => checkJson(JSON.parse(body), webhookTestSchema),
  createSession: (body) => checkJson(JSON.parse(body), sessionRequestSchema),
  createStreamSession: (body) => checkJson(JSON.parse(body), streamSessionRequestSchema),
  createClientToken: (body) => checkJson(JSON.parse(body), clientTokenRequestSchema),
};

/** A model whose use is approved adds an operation of its own. */
function parserOf({ id }: Operation): (body: string) => unknown {
  if (/^request\w+Access$/.test(id))
    return (body) => checkJson(JSON.parse(body), accessRequestSchema);
  return parsers[id]!;
}

test('the body of a sample is one that the service accepts', (t) => {
  for (const operation of operations.filter(({ form, json }) => json && !form)) {
    const [, body = ''] = /-d '(.+)'$/.exec(curlOf(operation)) ?? [];
    t.notThrows(() => parserOf(operation)(body), `${operation.id}: ${body}`);
  }
});

test('a sample sends every header and parameter that is required', (t) => {
  const needing = operations.flatMap((operation) => {
    const required = operation.parameters.filter((each) => each.required && each.in !== 'path');
    return required.map(({ name }) => ({ operation, name }));
  });
  t.true(needing.length >= 4);
  for (const { operation, name } of needing) {
    for (const code of codesOf(operation)) t.true(code.includes(name), `${operation.id}: ${code}`);
  }
});

test('headers and parameters of a sample have values that the service takes', (t) => {
  const named = (id: string) => operations.find((operation) => operation.id === id)!;
  const curl = curlOf(named('createStreamSession'));
  const headers = [...curl.matchAll(/-H "([\w-]+): (.+)"/g)].map(([, ...pair]) => pair);
  t.notThrows(() => streamSessionHeaders.parse(Object.fromEntries(headers)));
  t.regex(Object.fromEntries(headers)['X-Svc-Session'], /^ss1_[\w-]{80,1020}$/);
  for (const id of ['exportBatch', 'exportBatchItem']) {
    const [address = ''] = /https:[^"]+/.exec(curlOf(named(id))) ?? [];
    const { searchParams } = new URL(address);
    t.notThrows(() => exportQuerySchema.parse(Object.fromEntries(searchParams)), address);
  }
});
