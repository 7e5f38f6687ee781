// Declarations as TypeScript interfaces.
import type { Declaration, Property, TypeExpression } from './schema.ts';

const header = `// Generated from the OpenAPI document by clients/generator/run.ts; do not edit.
`;

/** The source of a module; not yet formatted. */
export function typescriptTypes(declarations: readonly Declaration[]): string {
  return header + declarations.map(declaration).join('\n');
}

function declaration({ name, description, shape }: Declaration): string {
  const comment = commentOf(description);
  if (!isObject(shape)) return `${comment}export type ${name} = ${typeOf(shape)};\n`;
  return `${comment}export interface ${name} {\n${shape.map(property).join('')}}\n`;
}

function isObject(shape: Declaration['shape']): shape is readonly Property[] {
  return Array.isArray(shape);
}

function property({ name, type, required, description }: Property): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${commentOf(description)}readonly ${key}${required ? '' : '?'}: ${typeOf(type)};\n`;
}

function typeOf(type: TypeExpression): string {
  switch (type.kind) {
    case 'reference':
      return type.name;
    case 'literal':
      return JSON.stringify(type.value);
    case 'basic':
      return type.name === 'integer' ? 'number' : type.name;
    case 'array':
      return `readonly (${typeOf(type.items)})[]`;
    case 'record':
      return `Readonly<Record<string, ${typeOf(type.values)}>>`;
    case 'union':
      return type.members.map(typeOf).join(' | ');
  }
}

const maxCommentWidth = 92;

/** Prettier does not break comments. */
function commentOf(text: string | null): string {
  if (text === null) return '';
  const lines = [''];
  for (const word of text.replaceAll('*/', '*').split(/\s+/)) {
    const last = lines.at(-1)!;
    if (last.length + word.length + 1 > maxCommentWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
