// The steps of docs/adding.md are applied to a copy of the tree, and what they add is found
// everywhere.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readScripts, readSteps, treeWith } from '../../support/documented-steps.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const markdown = readFileSync(join(root, 'docs', 'adding.md'), 'utf8');
const steps = readSteps(markdown);

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

test('the steps add all that they say, and the types hold', (t) => {
  t.is(steps.length, 19);
  const code = steps.filter(({ file }) => !file.endsWith('.md')).map(({ lines }) => lines);
  t.deepEqual(code.join('').match(/^.{101,}$/gm), null, 'wider than the tree allows');
  const { folder, remove } = treeWith(steps);
  t.teardown(remove);
  const scripts = readScripts(markdown);
  t.is(scripts.length, 1);
  for (const name of scripts) run([join(folder, name)]);
  const script = join(root, 'test', 'support', 'added-facts.ts');
  const { model, limit, answers, error } = JSON.parse(run([script, folder]));

  t.like(model.listed, {
    id: 'svc-example',
    lifecycle: 'preview',
    tasks: ['transcription', 'emotion'],
    languages: ['en'],
    limits: { max_seconds: 90, max_file_bytes: 2 * 2 ** 20 },
  });
  t.is(model.listed.bundle.name, 'moonshine-tiny-en');
  t.is(model.parsed, 'svc-example');
  t.is(model.elsewhere, 'model_not_supported');
  t.is(model.tooLarge, 'file_too_large');
  t.is(model.access, 'model_access_required');
  t.is(model.batch, 'svc-example');
  t.true(model.scores);
  t.like(model.usage, { rate_per_minute_usd: '0.0200', estimated_cost_usd: '0.010000' });
  t.true(model.languages.includes('ca') && model.languages.includes('uk'));

  t.deepEqual(limit, { trial: 'storage_quota_exceeded', subscription: 'invalid_field' });

  const { schemas, examples } = answers.document.components;
  const priced = answers.pricing.models.map(({ id }: { readonly id: string }) => id);
  t.deepEqual([priced.length, priced.at(-1)], [model.rows, 'svc-example']);
  for (const [name, served] of [
    ['TranscriptionRequest', true],
    ['EmotionRequest', true],
    ['StyleRequest', false],
  ] as const) {
    t.is(schemas[name].properties.model.enum.includes('svc-example'), served, name);
  }
  t.truthy(answers.document.paths['/v1/models/svc-example/access'].post);
  const openAi = schemas.OpenAiTranscriptionRequest.properties;
  t.true(openAi.model.enum.includes('svc-example'));
  for (const { language } of [openAi, schemas.TranscriptionRequest.properties]) {
    t.true(language.enum.includes('ca'));
  }
  t.regex(answers.overviewPage, /<option value="ca">/);
  const exported = answers.document.paths['/v1/batches/{id}/items/{index}/export'].get.parameters;
  t.true(JSON.stringify(exported).includes('"md"'));
  t.regex(answers.recordingPage, /data-format="md"/);
  t.deepEqual(
    [error.known, error.status, error.body.error.type],
    [true, 400, 'invalid_request_error'],
  );
  t.is(examples.example_rejected.value.error.code, 'example_rejected');
  t.deepEqual(answers.example, { count: 3 });
  t.is(answers.rejected.error.code, 'invalid_field');
  t.truthy(answers.document.paths['/v1/example'].get.responses['400']);

  const program = join(folder, 'bin', 'svc.ts');
  t.regex(run([program, 'analyze', '--help']), /svc-resonance, svc-fourier, svc-example;/);
  t.regex(run([program, 'export', '--help']), /md +the words as Markdown/);
  const table = run([program, 'settings']);
  t.regex(
    table,
    /^\| `SVC_EXAMPLE_SECONDS` \| stream-worker \| `5` \| an example, in seconds \|$/m,
  );
  t.true(readFileSync(join(folder, 'docs', 'settings.md'), 'utf8').includes(table));
  const types = (name: string) => readFileSync(join(folder, 'clients', name), 'utf8');
  t.regex(types('typescript/src/schemas.ts'), /ExportFormat =[^;]*'md'/);
  t.regex(types('python/src/svc_speech/schemas.py'), /ExportFormat = Literal\[[^\]]*"md"/);
  // What the other tests share was not copied.
  rmSync(join(folder, 'test'), { recursive: true });
  t.notThrows(() => run([tsc, '--noEmit', '-p', folder]));
});

test('a step whose anchor is gone fails', (t) => {
  const [first] = steps;
  t.throws(() => treeWith([{ ...first!, anchor: 'nowhere in the file' }]), { message: /once/ });
});
