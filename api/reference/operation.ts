// The operations of the OpenAPI document in the form that its page needs; pure.

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export type SchemaTable = Readonly<Record<string, JsonSchema>>;

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface DocumentOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: readonly object[];
}

/** The members of an OpenAPI document that are read. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: SchemaTable };
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Schema of a multipart form; null without one. */
  readonly form: JsonSchema | null;
  /** Schema of a JSON body; null without one. */
  readonly json: JsonSchema | null;
  readonly answers: readonly (Answer & { readonly status: string })[];
  readonly hasKey: boolean;
}

export function operationsOf({ paths }: ApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]): Operation => {
      const { operationId: id, tags, summary = id, description = '', security } = given;
      const content = given.requestBody?.content ?? {};
      return {
        ...{ id, method, path, summary, description, tag: tags[0] ?? '' },
        parameters: given.parameters ?? [],
        form: content['multipart/form-data']?.schema ?? null,
        json: content['application/json']?.schema ?? null,
        answers: Object.entries(given.responses).map(([status, answer]) => ({ status, ...answer })),
        hasKey: security === undefined || security.length > 0,
      };
    }),
  );
}
