// The static checks: format, lint, types and dead code; each counts as one test.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { printFailure, type Outcome } from './report.ts';

const checks = [
  {
    title: 'prettier: every file is formatted',
    script: 'prettier/bin/prettier.cjs',
    args: ['--check', '.'],
  },
  {
    title: 'oxlint: no lint error, with types',
    script: 'oxlint/bin/oxlint',
    args: ['--deny-warnings'],
  },
  { title: 'tsc: the types hold', script: 'typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  { title: 'knip: no dead file, export or dependency', script: 'knip/bin/knip.js', args: [] },
];

const packages = join(import.meta.dirname, '..', '..', 'node_modules');

/** Runs every check side by side and prints the failures. */
export async function runChecks(signal: AbortSignal): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, signal)));
  for (const outcome of outcomes) {
    if (outcome.state === 'failed') printFailure(outcome);
    else process.stdout.write(`✓ ${outcome.title}\n`);
  }
  return outcomes;
}

function runCheck(
  { title, script, args }: (typeof checks)[number],
  signal: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(packages, script), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      signal,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (output += data.toString()));
    }
    child.on('error', (error) => resolve({ title, state: 'failed', detail: error.message }));
    child.on('close', (code) => {
      resolve({ title, state: code === 0 ? 'passed' : 'failed', detail: code === 0 ? '' : output });
    });
  });
}
