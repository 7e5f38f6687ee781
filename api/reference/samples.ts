// Requests of an operation as curl, TypeScript and Python send them; pure.
import type { JsonSchema, Operation, SchemaTable } from './operation.ts';

export interface Sample {
  readonly language: 'curl' | 'TypeScript' | 'Python';
  readonly code: string;
}

type Pair = readonly [name: string, value: string];

interface Request {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  /** Required ones, but for the key. */
  readonly headers: readonly Pair[];
  /** Whether a key is sent. */
  readonly hasKey: boolean;
  /** Fields of a form, `file` first; null without a form. */
  readonly fields: readonly Pair[] | null;
  /** A JSON body; null without one. */
  readonly body: unknown;
}

/** @param base address of the service */
export function samplesOf(
  operation: Operation,
  { base, schemas }: { readonly base: string; readonly schemas: SchemaTable },
): readonly Sample[] {
  const { method, path, form, json, hasKey } = operation;
  const query = new URLSearchParams(Object.fromEntries(requiredOf(operation, 'query', schemas)));
  const request: Request = {
    method: method.toUpperCase(),
    url:
      base +
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase()) +
      (query.size === 0 ? '' : `?${query.toString()}`),
    headers: requiredOf(operation, 'header', schemas),
    hasKey,
    fields: form && fieldsOf(form, schemas),
    // Where either is taken, the form: it is what the recording itself is sent in.
    body: form ? null : json && exampleOf(json, schemas),
  };
  return [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typeScript(request) },
    { language: 'Python', code: python(request) },
  ];
}

/** Parameters of one place that must be sent. */
function requiredOf(
  { parameters }: Operation,
  place: 'query' | 'header',
  schemas: SchemaTable,
): readonly Pair[] {
  return parameters
    .filter((parameter) => parameter.required && parameter.in === place)
    .map(({ name, schema }) => [name, String(exampleOf(schema, schemas))]);
}

function curl({ method, url, headers, hasKey, fields, body }: Request): string {
  const parts = [`curl ${method === 'GET' || fields || body ? '' : `-X ${method} `}"${url}"`];
  if (hasKey) parts.push('-H "Authorization: Bearer $SVC_API_KEY"');
  for (const [name, value] of headers) parts.push(`-H "${name}: ${value}"`);
  for (const [name, value] of fields ?? []) {
    const field = `${name}=${value}`;
    parts.push(`-F ${/^[\w@=.-]+$/.test(field) ? field : `'${field}'`}`);
  }
  if (body !== null) {
    parts.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  }
  return parts.join(' \\\n  ');
}

function typeScript({ method, url, headers, hasKey, fields, body }: Request): string {
  const lines: string[] = [];
  if (fields) lines.push("import { openAsBlob } from 'node:fs';");
  if (hasKey) lines.push("import { env } from 'node:process';");
  if (lines.length > 0) lines.push('');
  if (fields) {
    lines.push('const form = new FormData();');
    for (const [name, value] of fields) {
      const isFile = value.startsWith('@');
      const given = isFile ? `await openAsBlob('${value.slice(1)}')` : `'${value}'`;
      lines.push(`form.set('${name}', ${given}${isFile ? `, '${value.slice(1)}'` : ''});`);
    }
    lines.push('');
  }
  const sent = [
    ...(hasKey ? ['    Authorization: `Bearer ${env.SVC_API_KEY}`,'] : []),
    ...headers.map(([name, value]) => `    '${name}': '${value}',`),
    ...(body === null ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  lines.push(`const response = await fetch('${url}', {`);
  if (method !== 'GET') lines.push(`  method: '${method}',`);
  if (sent.length > 0) lines.push('  headers: {', ...sent, '  },');
  if (fields) lines.push('  body: form,');
  if (body !== null) lines.push(`  body: JSON.stringify(${indented(body)}),`);
  lines.push('});', 'if (!response.ok) throw new Error(await response.text());');
  return [...lines, 'console.log(await response.text());'].join('\n');
}

function python({ method, url, headers, hasKey, fields, body }: Request): string {
  const lines = ['import os', 'import requests', '', `response = requests.request(`];
  lines.push(`    "${method}",`, `    "${url}",`);
  const sent = [
    ...(hasKey ? [`"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"`] : []),
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
  ];
  if (sent.length === 1) lines.push(`    headers={${sent[0]}},`);
  if (sent.length > 1) {
    lines.push('    headers={', ...sent.map((each) => `        ${each},`), '    },');
  }
  const files = (fields ?? []).filter(([, value]) => value.startsWith('@'));
  const texts = (fields ?? []).filter(([, value]) => !value.startsWith('@'));
  const opened = files.map(([name, value]) => `"${name}": open("${value.slice(1)}", "rb")`);
  if (files.length > 0) lines.push(`    files={${opened.join(', ')}},`);
  if (texts.length > 0) lines.push(`    data=${JSON.stringify(Object.fromEntries(texts))},`);
  if (body !== null) lines.push(`    json=${toPython(indented(body, 4))},`);
  return [...lines, ')', 'response.raise_for_status()', 'print(response.text)'].join('\n');
}

function indented(body: unknown, by = 2): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`);
}

function toPython(json: string): string {
  return json
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None');
}

/** The required fields of a form, files as curl names them. */
function fieldsOf(schema: JsonSchema, schemas: SchemaTable): readonly Pair[] {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  const wanted = ['file', ...required.filter((name) => name !== 'file')];
  return wanted
    .filter((name) => name in properties)
    .map((name) => {
      const isFile = name === 'file';
      return [name, isFile ? '@call.wav' : String(exampleOf(properties[name]!, schemas))] as const;
    });
}

/** The smallest value that the schema describes: its example, default, or required members. */
function exampleOf(given: JsonSchema, schemas: SchemaTable, depth = 0): unknown {
  const schema = resolve(given, schemas);
  const { example, enum: choices, const: fixed, anyOf, items, properties, required = [] } = schema;
  if (example !== undefined) return example;
  if (fixed !== undefined) return fixed;
  if (schema.default !== undefined && typeof schema.default !== 'object') return schema.default;
  if (choices) return choices[0];
  if (anyOf && depth < 6) return exampleOf(anyOf[0]!, schemas, depth + 1);
  if (properties && depth < 6) {
    const wanted = required.filter((name) => properties[name]?.default === undefined);
    const pairs = wanted.map((name) => {
      const of = properties[name] ?? {};
      return [name, named[name] ?? exampleOf(of, schemas, depth + 1)] as const;
    });
    return Object.fromEntries(pairs);
  }
  if (schema.type === 'array') return items ? [exampleOf(items, schemas, depth + 1)] : [];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return 'text';
}

/** Values that say what they stand for. */
const named: Readonly<Record<string, unknown>> = {
  task: 'analysis',
  url: 'https://example.com/hook',
  filename: 'call.wav',
  bytes: 320_044,
};

function resolve(schema: JsonSchema, schemas: SchemaTable): JsonSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (schemas[name] ?? {});
}
