// The completion that a shell is given, by the shell itself.
import { execFileSync } from 'node:child_process';
import test from 'ava';
import { Command } from 'commander';
import { addCompletionCommand, completablesOf } from '../../../bin/commands/completion.ts';
import { callSvc } from '../../support/svc.ts';

test('commands, their commands and long options are offered', (t) => {
  const program = new Command('svc');
  program.command('bulk').option('-o, --out <folder>', 'results').description('many');
  program.command('admin').command('key').option('--name <name>');
  addCompletionCommand(program);
  const words = new Map(
    completablesOf(program).map(({ path, words: offered }) => {
      return [path, offered.map(({ word }) => word)] as const;
    }),
  );
  t.deepEqual(words.get(''), ['bulk', 'admin', 'completion', '--help']);
  t.deepEqual(words.get('bulk'), ['--out', '--help']);
  t.deepEqual(words.get('admin key'), ['--name', '--help']);
});

test('bash completes with the script', async (t) => {
  const { stdout: script } = await callSvc({}, 'completion', 'bash');
  const complete = (...words: readonly string[]): string[] => {
    const line = ['svc', ...words].map((word) => `'${word}'`).join(' ');
    const run = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _svc; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${run}`])
      .toString()
      .trim()
      .split(' ');
  };
  t.deepEqual(complete('ana'), ['analyze']);
  t.true(complete('bulk', '--').includes('--channels'));
  t.deepEqual(complete('admin', 'key', 'cre'), ['create']);
});
