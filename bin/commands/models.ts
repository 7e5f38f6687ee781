// `svc models`: lists and verifies the model bundles, downloads missing ones, and converts others.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { assignedRow, checkAssignments } from '../../models/bundles/assignments.ts';
import type { Manifest } from '../../models/bundles/manifest.ts';
import { findManifest } from '../../models/bundles/manifests.ts';
import { openModelStore } from '../../models/bundles/store.ts';
import { models } from '../../models/contract/served-models.ts';
import { convertFolder } from '../conversion/convert-folder.ts';
import { ConversionError } from '../conversion/model-file.ts';
import { readSettings, repositoryRoot, type StackSettings } from '../settings/stack-settings.ts';
import { exitCodes } from './exit-codes.ts';
import { tableLines } from './table.ts';

/** Adds the command and its subcommands to the program. */
export function addModelsCommand(program: Command): void {
  const command = program.command('models').description('list, verify or pull the model bundles');
  command
    .command('list')
    .description('name each bundle with its revision, licence and users')
    .action(() => show({ hash: false }));
  command
    .command('verify')
    .description('hash each file; exit 1 when one is missing or wrong')
    .action(() => show({ hash: true }));
  command
    .command('card')
    .argument('<name>', 'the bundle')
    .description('what a bundle is, where it comes from, and what it is worth')
    .action(showCard);
  command
    .command('pull')
    .argument('[name]', 'what to call a bundle that is converted')
    .option('--from <path>', 'convert a published model in this folder, or this file')
    .description('download the missing bundles, or convert a published model')
    .addHelpText('after', pullHelp)
    .action((name: string | undefined, { from }: { from?: string }) => pull(name, from));
}

const pullHelp = `
--from takes Whisper of any size: model.bin (CTranslate2), *.safetensors (Hugging Face) or
ggml-*.bin (whisper.cpp); and NeMo TDT as onnx-asr has it (encoder-model.onnx).
SVC_ASSIGNMENTS=svc-resonance.recognition=NAME puts it to use.`;

async function pull(name: string | undefined, from: string | undefined): Promise<void> {
  if (from === undefined && name === undefined) {
    const setup = join(repositoryRoot, 'bin', 'setup.mjs');
    const { status } = spawnSync(process.execPath, [setup, 'models'], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return;
  }
  if (from === undefined || name === undefined) {
    process.stderr.write('svc models pull takes a name and --from together\n');
    process.exitCode = exitCodes.failed;
    return;
  }
  const { modelsDirectory } = readSettings(process.env);
  try {
    const manifest = await convertFolder(modelsDirectory, name, resolve(from));
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    process.stdout.write(`✓ ${name} ${manifest.revision} (${manifest.family}, ${size})\n`);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    process.stderr.write(`${name} was not converted: ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function showCard(name: string): Promise<void> {
  const { modelsDirectory } = readSettings(process.env);
  const manifest = findManifest(name, openModelStore(modelsDirectory).manifests);
  const { source } = manifest;
  const path =
    source.kind === 'folder'
      ? join(modelsDirectory, name, source.card)
      : source.kind === 'project'
        ? join(repositoryRoot, source.card)
        : null;
  process.stdout.write(path === null ? publishedCard(manifest) : await readFile(path, 'utf8'));
}

/** Of a bundle that others publish, whose card is theirs. */
function publishedCard({ name, family, revision, license, source, files }: Manifest): string {
  const facts = Object.entries(source).filter(([key]) => key !== 'kind');
  const from = facts.map(([key, value]) => `${key} ${String(value)}`).join(', ');
  const users = usersOf(name, readSettings(process.env));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `# ${name}`,
    '',
    `- family: ${family}, revision ${revision}, ${(bytes / 2 ** 20).toFixed(1)} MiB`,
    `- license: ${license}`,
    `- published at ${source.kind}: ${from}`,
    `- used here by: ${users.join(', ') || 'no model'}`,
    '',
    'What it is worth here: docs/benchmarks/accuracy.md.',
    '',
  ].join('\n');
}

async function show({ hash }: { readonly hash: boolean }): Promise<void> {
  const settings = readSettings(process.env);
  const { modelsDirectory, englishBundle: english, assignments } = settings;
  const store = openModelStore(modelsDirectory);
  checkAssignments(assignments, store.manifests);
  const bundles = await store.verify({ hash, english, assignments });
  const rows = bundles.map(({ name, revision, license, needed, problem }) => {
    const users = usersOf(name, settings);
    const state = problem ?? (hash ? 'all hashes match' : 'installed');
    const use = users.length > 0 ? `  (${users.join(', ')})` : '';
    const mark = problem === null ? '✓' : needed ? '✗' : '–';
    return [`${mark} ${name}`, revision, license, `${state}${use}`];
  });
  process.stdout.write(`${[modelsDirectory, ...tableLines(rows)].join('\n')}\n`);
  if (bundles.some(({ needed, problem }) => needed && problem !== null)) process.exitCode = 1;
}

/** Ids of the models that use a bundle here. */
function usersOf(name: string, { englishBundle, assignments }: StackSettings): readonly string[] {
  return models.flatMap(({ id }) => {
    const { diarization, ...parts } = assignedRow(id, assignments).parts;
    const recognition = assignments.get(id)?.recognition ?? englishBundle;
    const used = [...Object.values({ ...parts, recognition }), ...Object.values(diarization ?? {})];
    return used.includes(name) ? [id] : [];
  });
}
