// The runner's command line: which checks and which test files.
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
