// The generated files of the clients, as they are to be: a test compares them with the tree.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { openApiDocument } from '../../api/reference/document.ts';
import { synchronous } from './python-synchronous.ts';
import { pythonTypes } from './python-types.ts';
import { declare, type Schema } from './schema.ts';
import { typescriptTypes } from './typescript-types.ts';

export interface GeneratedFile {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

const python = 'clients/python/src/svc_speech';
const root = join(import.meta.dirname, '..', '..');

export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const document = openApiDocument();
  const schemas = document.components?.schemas ?? {};
  // OpenAI's and Hume's own clients have the types of their endpoints.
  const own = Object.entries(schemas).filter(([name]) => !/^(OpenAi|Hume)/.test(name));
  const declarations = declare({
    ...(Object.fromEntries(own) as Readonly<Record<string, Schema>>),
    // In the document it is a parameter's, which has no name.
    ExportFormat: formatOf(document),
  });
  const typescript = await format(typescriptTypes(declarations), {
    parser: 'typescript',
    printWidth: 100,
    singleQuote: true,
  });
  return [
    { path: 'clients/typescript/src/schemas.ts', text: typescript },
    { path: `${python}/schemas.py`, text: pythonTypes(declarations) },
    ...synchronousFiles(),
  ];
}

const exportPath = '/v1/batches/{id}/items/{index}/export';

/** @throws for a document without the parameter */
function formatOf({ paths = {} }: ReturnType<typeof openApiDocument>): Schema {
  const parameters = paths[exportPath]?.get?.parameters ?? [];
  const named = parameters.find((each) => 'name' in each && each.name === 'format');
  if (!named || !('schema' in named)) throw new Error(`${exportPath} has no format`);
  return named.schema as Schema;
}

function synchronousFiles(): readonly GeneratedFile[] {
  const folder = `${python}/asynchronous`;
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.py'));
  return names.map((name) => ({
    path: `${python}/synchronous/${name}`,
    text: synchronous(readFileSync(join(root, folder, name), 'utf8')),
  }));
}
