// Clients that generators make from the OpenAPI document: they compile, and they transcribe.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ClientTarget {
  readonly base: string;
  readonly key: string;
  /** An empty folder to generate into. */
  readonly folder: string;
  /** A WAV with speech. */
  readonly recording: string;
  /** Programs of the Python tools. */
  readonly python: string;
}

/** openapi-typescript needs a compiler of its own age. */
const npmTools = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];

const typescriptClient = `
import createClient from 'openapi-fetch';
import { readFileSync } from 'node:fs';
import type { paths } from './schema.d.ts';

const [baseUrl = '', key = '', path = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
const models = await client.GET('/v1/models');
if (models.data?.data.length !== 7) throw new Error('seven models were expected');
const { data, error } = await client.POST('/v1/audio/transcriptions', {
  params: { header: { 'X-Request-ID': 'generated-typescript' } },
  body: { file: path, model: 'svc-resonance' },
  bodySerializer: ({ file, model }) => {
    const form = new FormData();
    form.set('file', new Blob([readFileSync(file)]), 'call.wav');
    form.set('model', model ?? '');
    return form;
  },
});
if (!data || typeof data === 'string' || !('segments' in data)) throw new Error(error?.error.code);
console.log(data.text);
`;

const pythonClient = `
import sys
from generated import AuthenticatedClient
from generated.api.audio import create_transcription
from generated.api.catalog import list_models
from generated.models import TranscriptionRequest
from generated.types import File

base, key, path = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key, timeout=60)
assert len(list_models.sync(client=client).data) == 7
with open(path, "rb") as recording:
    body = TranscriptionRequest(file=File(payload=recording, file_name="call.wav"))
    print(create_transcription.sync(client=client, body=body).text)
`;

/** @returns what the client printed: the words of the recording */
export async function typescriptTranscript(target: ClientTarget): Promise<string> {
  const { base, key, folder: cwd, recording } = target;
  await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
  const types = '@types/node@24';
  await run('npm', ['install', '--no-audit', '--no-fund', ...npmTools, types], { cwd });
  const bin = join(cwd, 'node_modules', '.bin');
  const schema = join(cwd, 'schema.d.ts');
  const defaults = ['--default-non-nullable', 'false'];
  await run(join(bin, 'openapi-typescript'), [`${base}/openapi.json`, '-o', schema, ...defaults]);
  await writeFile(join(cwd, 'client.ts'), typescriptClient);
  const options = [
    '--allowImportingTsExtensions',
    '--noEmit',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--target',
    'esnext',
  ];
  await run(join(bin, 'tsc'), ['--strict', ...options, 'client.ts'], { cwd });
  // Types are stripped, so what was checked is what runs.
  return (await run(process.execPath, ['client.ts', base, key, recording], { cwd })).stdout;
}

/** @returns what the client printed: the words of the recording */
export async function pythonTranscript(target: ClientTarget): Promise<string> {
  const { base, key, folder: cwd, recording, python } = target;
  const generator = join(python, 'openapi-python-client');
  const output = ['--output-path', join(cwd, 'generated'), '--meta', 'none', '--fail-on-warning'];
  const env = { ...process.env, PATH: `${python}:${process.env.PATH}` };
  const config = ['--config', join(import.meta.dirname, 'openapi-python-client.yaml')];
  const address = ['--url', `${base}/openapi.json`];
  await run(generator, ['generate', ...address, ...config, ...output], { cwd, env });
  await writeFile(join(cwd, 'client.py'), pythonClient);
  return (await run(join(python, 'python'), ['client.py', base, key, recording], { cwd })).stdout;
}
