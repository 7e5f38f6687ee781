// The files that git tracks or would add, with their texts: the input of the layout rules.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export interface TreeFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** Every text file of the work tree that is not ignored; binary files are left out. */
export function readTree(): readonly TreeFile[] {
  const listing = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listing
    .split('\0')
    .filter((path) => path !== '' && isFile(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
    .map(({ path, text }) => ({ path, text, lines: text.replace(/\n$/, '').split('\n') }));
}

/** A file may be listed and deleted at once, in the middle of another process's change. */
function isFile(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** True for the project's own code, which the rules on length and style apply to. */
export function isCode({ path }: TreeFile): boolean {
  return /\.(ts|mjs)$/.test(path);
}
