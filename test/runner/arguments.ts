// The runners' command lines: which checks and which test files, or which of what a runner has.
import { statSync } from 'node:fs';

export interface RunnerArguments {
  readonly checks: boolean;
  readonly tests: boolean;
  /** Globs for ava; empty means every test file. */
  readonly patterns: readonly string[];
}

/** `--checks-only`, or files and folders: a chosen subset runs without the static checks. */
export function parseArguments(args: readonly string[]): RunnerArguments {
  if (args.includes('--checks-only')) return { checks: true, tests: false, patterns: [] };
  const patterns = args.map((path) => (isFolder(path) ? `${path.replace(/\/$/, '')}/**` : path));
  return { checks: patterns.length === 0, tests: true, patterns };
}

/**
 * What a runner is asked to do, by names; all that is usual when none is given. Another name ends
 * the process with those there are, before anything starts.
 */
export function namesAsked(
  given: readonly string[],
  known: readonly string[],
  usual: readonly string[] = known,
): readonly string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no ${unknown.join(', ')}: use ${known.join(', ')}\n`);
    process.exit(2);
  }
  return given.length > 0 ? given : usual;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
