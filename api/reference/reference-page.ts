// The reference of the API as HTML: operations by tag, fields, answers, samples; pure.
import { escapeHtml } from '../../models/exports/escape-html.ts';
import {
  operationsOf,
  type ApiDocument,
  type JsonSchema,
  type Operation,
  type SchemaTable,
} from './operation.ts';
import { samplesOf } from './samples.ts';

/** @param base address of the service, for the samples */
export function referenceHtml(document: ApiDocument, base: string): string {
  const operations = operationsOf(document);
  const { schemas } = document.components;
  const groups = document.tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ tag }) => tag === name);
    const list = own.map((operation) => operationHtml(operation, { base, schemas })).join('\n');
    return `<h2 id="tag-${name}">${name}</h2><p>${inline(description)}</p>${list}`;
  });
  const names = Object.keys(schemas).toSorted();
  const shapes = names.map(
    (name) => `<section class="shape" aria-labelledby="schema-${name}">
<h3 id="schema-${name}">${name}</h3>${schemaHtml(schemas[name]!, schemas)}</section>`,
  );
  return `<h1>API reference</h1>
<p>Base address <code>${escapeHtml(base)}</code>. Send a key as
<code>Authorization: Bearer svc_live_…</code>. The document itself:
<a href="../openapi.json">openapi.json</a> (OpenAPI 3.1); streams are in
<code>docs/streams</code> (AsyncAPI).</p>
${groups.join('\n')}
<h2 id="shapes">Shapes</h2>${shapes.join('\n')}`;
}

interface Context {
  readonly base: string;
  readonly schemas: SchemaTable;
}

function operationHtml(operation: Operation, context: Context): string {
  const { id, method, path, summary, description, parameters, form, json } = operation;
  const rows = parameters.map(({ name, in: place, required, schema, description: text }) =>
    fieldRow(
      `${name} <small>${place}</small>`,
      { ...schema, ...(text && { description: text }) },
      required,
    ),
  );
  const bodies = [
    ...(form ? [bodyHtml('multipart/form-data', form, context)] : []),
    ...(json ? [bodyHtml('application/json', json, context)] : []),
  ];
  const samples = samplesOf(operation, context).map(
    ({ language, code }, i) => `<details name="samples-${id}"${i === 0 ? ' open' : ''}>
<summary>${language}</summary><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></details>`,
  );
  return `<section class="operation card" aria-labelledby="${id}">
<h3 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${escapeHtml(path)}</code></p>
${description === '' ? '' : `<p>${inline(description)}</p>`}
<div class="samples">${samples.join('')}</div>
${rows.length === 0 ? '' : `<h4>Parameters</h4>${table(rows)}`}
${bodies.join('<p>or</p>')}
<h4>Answers</h4>${answersHtml(operation)}
</section>`;
}

function bodyHtml(kind: string, schema: JsonSchema, { schemas }: Context): string {
  return `<h4>Body <small>${kind}</small></h4>${schemaHtml(schema, schemas)}`;
}

function answersHtml({ answers }: Operation): string {
  const entries = answers.map(({ status, description, content = {} }) => {
    const [type, first] = Object.entries(content)[0] ?? [];
    const shape = first?.schema ? ` ${typeName(first.schema)}` : '';
    const kind = status.startsWith('2') ? 'good' : 'bad';
    const made = type ? ` <small>${escapeHtml(type)}</small>${shape}` : '';
    const mark = `<span class="status ${kind}">${status}</span>`;
    if (status.startsWith('2')) return `<p>${mark}${made} ${inline(description)}</p>`;
    return `<details><summary>${mark} ${codesIn(description)}</summary>
<p>${inline(description)}</p></details>`;
  });
  return entries.join('\n');
}

/** The error codes that a description explains. */
function codesIn(description: string): string {
  const codes = [...description.matchAll(/`(\w+)`:/g)].map(([, code]) => code!);
  return codes.length === 0
    ? 'error'
    : codes.slice(0, 4).join(', ') + (codes.length > 4 ? ' …' : '');
}

function schemaHtml(given: JsonSchema, schemas: SchemaTable): string {
  const shape = given.$ref?.replace('#/components/schemas/', '');
  const named = shape === undefined ? undefined : schemas[shape];
  if (named) return schemaHtml(named, schemas);
  const { properties, required = [], items, description } = given;
  if (!properties) {
    const inner = items ? ` of ${typeName(items)}` : '';
    return `<p>${typeName(given)}${inner} ${inline(description ?? '')}</p>`;
  }
  const rows = Object.entries(properties).map(([name, schema]) =>
    fieldRow(escapeHtml(name), schema, required.includes(name)),
  );
  return table(rows);
}

function fieldRow(name: string, schema: JsonSchema, isRequired = false): string {
  const { default: fallback, enum: choices, description = '' } = schema;
  const facts = [
    inline(description),
    choices ? `one of ${choices.map((each) => `<code>${show(each)}</code>`).join(', ')}` : '',
    fallback === undefined ? '' : `default <code>${show(fallback)}</code>`,
  ];
  const need = isRequired ? ' <small class="need">required</small>' : '';
  const text = facts.filter((fact) => fact !== '').join('; ');
  return `<tr><th scope="row"><code>${name}</code>${need}</th><td>${typeName(schema)}</td>
<td>${text}</td></tr>`;
}

function show(value: unknown): string {
  return escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
}

function table(rows: readonly string[]): string {
  return `<div class="wide" tabindex="0" role="group" aria-label="Fields"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>
</thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function typeName({ $ref, type, anyOf, items }: JsonSchema): string {
  if ($ref) {
    const name = $ref.replace('#/components/schemas/', '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (anyOf) return anyOf.map(typeName).join(' or ');
  if (items) return `array of ${typeName(items)}`;
  return escapeHtml(Array.isArray(type) ? type.join(' or ') : String(type ?? 'any'));
}

/** Text whose only mark is code. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
