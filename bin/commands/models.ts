// `svc models`: lists and verifies the model bundles, and downloads missing ones.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { openModelStore } from '../../models/bundles/store.ts';
import { models } from '../../models/contract/served-models.ts';
import { readSettings, repositoryRoot } from '../stack/settings.ts';

/** Adds the command and its three subcommands to the program. */
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
    .command('pull')
    .description('download the missing bundles')
    .action(() => {
      const setup = join(repositoryRoot, 'bin', 'setup.mjs');
      const { status } = spawnSync(process.execPath, [setup, 'models'], { stdio: 'inherit' });
      process.exitCode = status ?? 1;
    });
}

async function show({ hash }: { readonly hash: boolean }): Promise<void> {
  const { modelsDirectory, englishBundle: english } = readSettings(process.env);
  const store = openModelStore(modelsDirectory);
  const bundles = await store.verify({ hash, english });
  process.stdout.write(`${modelsDirectory}\n`);
  for (const { name, revision, license, needed, problem } of bundles) {
    const users = models
      .filter(({ parts: { diarization, ...parts } }) =>
        [...Object.values(parts), ...Object.values(diarization ?? {})].includes(name),
      )
      .map(({ id }) => id);
    const columns = [name.padEnd(22), revision.padEnd(10), license.padEnd(12)];
    const state = problem ?? (hash ? 'all hashes match' : 'installed');
    const use = users.length > 0 ? `  (${users.join(', ')})` : '';
    const mark = problem === null ? '✓' : needed ? '✗' : '–';
    process.stdout.write(`${mark} ${columns.join(' ')} ${state}${use}\n`);
  }
  if (bundles.some(({ needed, problem }) => needed && problem !== null)) process.exitCode = 1;
}
