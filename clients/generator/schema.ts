// Schemas of the OpenAPI document as declarations with names: nested objects get names of their
// own, because a type of a client is read, imported and hovered over by its name.

/** The part of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly description?: string;
  /** The name of an object that is one of several. */
  readonly title?: string;
}

export type TypeExpression =
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'basic'; readonly name: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly kind: 'array'; readonly items: TypeExpression }
  | { readonly kind: 'record'; readonly values: TypeExpression }
  | { readonly kind: 'union'; readonly members: readonly TypeExpression[] };

export interface Property {
  readonly name: string;
  readonly type: TypeExpression;
  readonly required: boolean;
  readonly description: string | null;
}

export interface Declaration {
  readonly name: string;
  readonly description: string | null;
  /** An object; otherwise a name for another type. */
  readonly shape: readonly Property[] | TypeExpression;
}

const basicTypes = ['string', 'number', 'integer', 'boolean', 'null'] as const;

/**
 * Declarations in the order of the document, nested ones before the one that uses them.
 * @throws for a schema that is neither an object nor made of what `Schema` has
 */
export function declare(schemas: Readonly<Record<string, Schema>>): readonly Declaration[] {
  const declared: Declaration[] = [];
  const add = (name: string, schema: Schema): void => {
    const { description = null } = schema;
    const shape = schema.properties ? propertiesOf(name, schema) : expression(name, schema);
    declared.push({ name, description, shape });
  };
  const propertiesOf = (owner: string, { properties = {}, required = [] }: Schema) =>
    Object.entries(properties)
      // The recording of a form is an argument of its own.
      .filter(([, { format }]) => format !== 'binary')
      .map(([name, schema]) => ({
        name,
        type: expression(owner + pascal(name), schema),
        required: required.includes(name),
        description: schema.description ?? null,
      }));
  const expression = (name: string, schema: Schema): TypeExpression => {
    const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return { kind: 'reference', name: $ref.split('/').at(-1)! };
    if ('const' in schema) return literal(schema.const);
    if (schema.enum) return union(schema.enum.map(literal));
    if (anyOf) {
      const named = anyOf.filter((each) => each.properties).length > 1;
      const nameOf = ({ title }: Schema, i: number) => title ?? (named ? `${name}${i + 1}` : name);
      return union(anyOf.map((each, i) => expression(nameOf(each, i), each)));
    }
    if (Array.isArray(type)) return union(type.map(basic));
    if (type === 'array' && items) return { kind: 'array', items: expression(name, items) };
    if (properties) {
      add(name, schema);
      return { kind: 'reference', name };
    }
    if (type === 'object' && typeof additionalProperties === 'object')
      return { kind: 'record', values: expression(`${name}Value`, additionalProperties) };
    return basic(type);
  };
  for (const [name, schema] of Object.entries(schemas)) add(name, schema);
  return declared;
}

function union(members: readonly TypeExpression[]): TypeExpression {
  return members.length === 1 ? members[0]! : { kind: 'union', members };
}

function literal(value: unknown): TypeExpression {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'literal', value };
  throw new Error(`no literal of a type: ${JSON.stringify(value)}`);
}

function basic(type: unknown): TypeExpression {
  const name = basicTypes.find((each) => each === type);
  if (name === undefined) throw new Error(`no type of the generator: ${JSON.stringify(type)}`);
  return { kind: 'basic', name };
}

/** `request_counts` is RequestCounts. */
function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}
