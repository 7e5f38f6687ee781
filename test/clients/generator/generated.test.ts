// The generated files are those of the present OpenAPI document, and the generator refuses what it
// does not know.
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { openApiDocument } from '../../../api/reference/document.ts';
import { generatedFiles } from '../../../clients/generator/generated.ts';
import { pythonTypes } from '../../../clients/generator/python-types.ts';
import { declare } from '../../../clients/generator/schema.ts';
import { typescriptTypes } from '../../../clients/generator/typescript-types.ts';
import { taskPaths } from '../../../clients/typescript/src/audio.ts';

test('the types of the clients are those of the OpenAPI document', async (t) => {
  for (const { path, text } of await generatedFiles()) {
    t.is(await readFile(path, 'utf8'), text, 'run: npm run generate');
  }
});

test('nested objects get names, optional members and odd keys are kept', (t) => {
  const declarations = declare({
    Call: {
      type: 'object',
      properties: {
        'expires[seconds]': { type: 'integer' },
        usage: {
          type: 'object',
          properties: { unit: { enum: ['second', null].slice(0, 1) } },
          required: ['unit'],
        },
        tags: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
        file: { type: 'string', format: 'binary' },
      },
      required: ['usage', 'file'],
    },
  });
  const typescript = typescriptTypes(declarations);
  t.regex(typescript, /export interface CallUsage \{\nreadonly unit: "second";\n\}/);
  t.regex(typescript, /readonly "expires\[seconds\]"\?: number;/);
  t.regex(typescript, /readonly usage: CallUsage;/);
  t.regex(typescript, /readonly tags\?: Readonly<Record<string, string \| null>>;/);
  t.false(typescript.includes('file'));
  const python = pythonTypes(declarations);
  t.regex(python, /class CallUsage\(TypedDict\):\n {4}unit: Literal\["second"\]\n/);
  t.regex(python, /Call = TypedDict\(\n {4}"Call",\n {4}\{\n {8}"expires\[seconds\]": NotReq/);
  t.throws(() => declare({ Odd: { type: 'tuple' } }), { message: /no type of the generator/ });
});

test('the paths of the TypeScript client are those of the document', (t) => {
  const { paths = {} } = openApiDocument();
  for (const path of Object.values(taskPaths)) t.truthy(paths[path], path);
});
