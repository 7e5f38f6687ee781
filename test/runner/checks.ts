// The static checks: format, lint, types and dead code; each counts as one test.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { printFailure, type Outcome } from './report.ts';

const packages = join(import.meta.dirname, '..', '..', 'node_modules');
const ruff = process.env.SVC_RUFF_BINARY;

interface Check {
  readonly title: string;
  /** Program and arguments; null where set-up could not install the program. */
  readonly command: readonly [string, ...string[]] | null;
}

const checks: readonly Check[] = [
  {
    title: 'prettier: every file is formatted',
    command: ofPackage('prettier/bin/prettier.cjs', '--check', '.'),
  },
  {
    title: 'oxlint: no lint error, with types',
    command: ofPackage('oxlint/bin/oxlint', '--deny-warnings'),
  },
  { title: 'tsc: the types hold', command: ofPackage('typescript/bin/tsc', '--noEmit', '-p', '.') },
  { title: 'knip: no dead file, export or dependency', command: ofPackage('knip/bin/knip.js') },
  {
    title: 'ruff: every Python file is formatted',
    command: ruff === undefined ? null : [ruff, 'format', '--no-cache', '--diff', '.'],
  },
  {
    title: 'ruff: no lint error in Python',
    command: ruff === undefined ? null : [ruff, 'check', '--no-cache', '.'],
  },
];

/** A script of an npm package, run by this Node. */
function ofPackage(script: string, ...args: string[]): [string, ...string[]] {
  return [process.execPath, join(packages, script), ...args];
}

/** Runs every check concurrently and prints the failures. */
export async function runChecks(signal: AbortSignal): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, signal)));
  for (const outcome of outcomes) {
    if (outcome.state === 'failed') printFailure(outcome);
    else if (outcome.state === 'passed') process.stdout.write(`✓ ${outcome.title}\n`);
  }
  return outcomes;
}

function runCheck({ title, command }: Check, signal: AbortSignal): Promise<Outcome> {
  if (command === null) return Promise.resolve({ title, state: 'skipped', detail: '' });
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
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
