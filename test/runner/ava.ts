// Runs ava and turns its output stream into outcomes.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { printFailure, type Outcome } from './report.ts';
import { readFileTime, type FileTime } from './slowest.ts';
import { createTapReader } from './tap.ts';

const entryPoint = join(
  import.meta.dirname,
  ...['..', '..', 'node_modules', 'ava', 'entrypoints', 'cli.js'],
);

const aliveEveryMs = 20_000;
const cores = availableParallelism();
const wholeStacks = 'test/flows/**/*.test.ts';

/** Files that run at the same time. */
export interface TestGroup {
  /** Globs of test files. */
  readonly patterns: readonly string[];
  readonly concurrency: number;
}

/** A file waits now and then: one more than there are cores keeps them busy. */
const atOnce = (most: number): number => (cores === 1 ? 1 : Math.min(most, cores + 1));
const flowsAtOnce = atOnce(3);

/** All test files: those that compute or wait by themselves, then those with a whole stack. */
export const testGroups: readonly TestGroup[] = [
  { patterns: ['test/**/*.test.ts', `!${wholeStacks}`], concurrency: atOnce(4) },
  { patterns: [wholeStacks], concurrency: flowsAtOnce },
];

/** Those that are named: they may be of either kind. */
export function namedTests(patterns: readonly string[]): readonly TestGroup[] {
  return [{ patterns, concurrency: flowsAtOnce }];
}

export interface AvaOptions extends TestGroup {
  readonly environment: Readonly<Record<string, string>>;
  /** Ends ava, and so the run, early. */
  readonly signal: AbortSignal;
}

export interface AvaRun {
  readonly outcomes: readonly Outcome[];
  readonly times: readonly FileTime[];
}

/** Runs the tests to their end; a crash of ava itself is one failure. */
export async function runAva(options: AvaOptions): Promise<AvaRun> {
  const outcomes: Outcome[] = [];
  const failed = () => outcomes.filter(({ state }) => state === 'failed').length;
  const reasons = collectReasons();
  const times: FileTime[] = [];
  const reader = createTapReader((outcome) => {
    outcomes.push(outcome);
    if (outcome.state !== 'failed') return;
    printFailure({ ...outcome, detail: [outcome.detail, ...reasons.take()].join('\n') });
  });
  const settings = ['--tap', '--concurrency', String(options.concurrency)];
  const child = spawn(process.execPath, [entryPoint, ...settings, ...options.patterns], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
  });
  const end = () => child.kill('SIGTERM');
  options.signal.addEventListener('abort', end);
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-20_000)));
  createInterface({ input: child.stderr }).on('line', (line) => {
    const time = readFileTime(line);
    if (time) times.push(time);
    else reasons.line(line);
  });
  const alive = setInterval(() => {
    process.stdout.write(`  … ${outcomes.length} tests done, ${failed()} failed\n`);
  }, aliveEveryMs);
  try {
    const closed = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    for await (const line of createInterface({ input: child.stdout })) reader.line(line);
    const whole = reader.end();
    const code = await closed;
    // ava's reporter does not survive a test that hangs: only its absence shows which one it was.
    if (!whole || (code !== 0 && failed() === 0)) {
      const last = outcomes.at(-1)?.title ?? 'none';
      const title = `ava ends by itself and with every test (exit code ${code})`;
      const detail = `the last result was of: ${last}\n${errors}`;
      const outcome: Outcome = { title, state: 'failed', detail };
      printFailure(outcome);
      outcomes.push(outcome);
    }
    return { outcomes, times };
  } finally {
    clearInterval(alive);
    options.signal.removeEventListener('abort', end);
  }
}

const errorLevel = 50;
const keptReasons = 20;

/** The last failures that processes under test logged: why an answer was a 500. */
function collectReasons() {
  let kept: string[] = [];
  return {
    line: (text: string): void => {
      const level = Number(/^\{"level":(\d+)/.exec(text)?.[1] ?? 0);
      if (level >= errorLevel) kept = [...kept, text].slice(-keptReasons);
    },
    /** Those since the failure before. */
    take: (): readonly string[] => kept.splice(0),
  };
}
