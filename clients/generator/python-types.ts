// Declarations as Python classes of typing.TypedDict: what they describe are plain dictionaries.
import type { Declaration, Property, TypeExpression } from './schema.ts';

const header = `"""Generated from the OpenAPI document by clients/generator/run.ts; do not edit."""

from typing import Literal, NotRequired, TypedDict
`;

/** The source of a module whose classes stand before those that use them. */
export function pythonTypes(declarations: readonly Declaration[]): string {
  return [header, ...inOrder(declarations).map(declaration)].join('\n');
}

/** Names of an annotation are looked up when the module is loaded. */
function inOrder(declarations: readonly Declaration[]): readonly Declaration[] {
  const byName = new Map(declarations.map((each) => [each.name, each] as const));
  const ordered = new Set<Declaration>();
  const visit = (each: Declaration): void => {
    if (ordered.has(each)) return;
    for (const name of referencesOf(each)) visit(byName.get(name)!);
    ordered.add(each);
  };
  declarations.forEach(visit);
  return [...ordered];
}

function referencesOf({ shape }: Declaration): readonly string[] {
  const inType = (type: TypeExpression): readonly string[] => {
    switch (type.kind) {
      case 'reference':
        return [type.name];
      case 'array':
        return inType(type.items);
      case 'record':
        return inType(type.values);
      case 'union':
        return type.members.flatMap(inType);
      case 'literal':
      case 'basic':
        return [];
    }
  };
  return isObject(shape) ? shape.flatMap(({ type }) => inType(type)) : inType(shape);
}

function isObject(shape: Declaration['shape']): shape is readonly Property[] {
  return Array.isArray(shape);
}

function declaration({ name, shape }: Declaration): string {
  if (!isObject(shape)) return `\n${name} = ${typeOf(shape)}\n`;
  const fields = shape.map(({ name: key, type, required }) => {
    return [key, required ? typeOf(type) : `NotRequired[${typeOf(type)}]`] as const;
  });
  // A key such as "expires_after[seconds]" is no identifier.
  if (fields.some(([key]) => !/^\w+$/.test(key))) {
    const entries = fields
      .map(([key, type]) => `        ${JSON.stringify(key)}: ${type},\n`)
      .join('');
    return `\n${name} = TypedDict(\n    "${name}",\n    {\n${entries}    },\n)\n`;
  }
  const lines = fields.map(([key, type]) => `    ${key}: ${type}\n`);
  return `\nclass ${name}(TypedDict):\n${lines.join('') || '    pass\n'}`;
}

const basicNames = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
} as const;

function typeOf(type: TypeExpression): string {
  switch (type.kind) {
    case 'reference':
      return type.name;
    case 'literal':
      return `Literal[${literalOf(type.value)}]`;
    case 'basic':
      return basicNames[type.name];
    case 'array':
      return `list[${typeOf(type.items)}]`;
    case 'record':
      return `dict[str, ${typeOf(type.values)}]`;
    case 'union': {
      const literals = type.members.flatMap((each) =>
        each.kind === 'literal' ? [each.value] : [],
      );
      const others = type.members.filter(({ kind }) => kind !== 'literal').map(typeOf);
      const all = literals.length > 0 ? [`Literal[${literals.map(literalOf).join(', ')}]`] : [];
      return [...all, ...others].join(' | ');
    }
  }
}

function literalOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
