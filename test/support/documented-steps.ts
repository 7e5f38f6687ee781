// Applies the steps of docs/adding.md to a copy of the tree.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const folders = ['activities', 'api', 'bin', 'clients', 'db', 'docs', 'models', 'workflows'];
const copied = [...folders, 'test/api/catalog', 'package.json', 'tsconfig.json'];

interface Step {
  readonly file: string;
  readonly where: 'before' | 'after' | 'new';
  /** Text that occurs in the file once; empty for a new file. */
  readonly anchor: string;
  readonly lines: string;
}

/**
 * Blocks whose fence names a file: "```ts FILE before|after "TEXT"", or "```ts FILE new".
 */
export function readSteps(markdown: string): readonly Step[] {
  const block = /^```\w+ (\S+) (?:(before|after) "(.*)"|new)\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(block)].map(([, file, where, anchor = '', lines]) => ({
    file: file!,
    where: (where ?? 'new') as Step['where'],
    anchor: anchor.replaceAll('\\"', '"'),
    lines: lines!,
  }));
}

/** The scripts of blocks "```sh run", which name them as npm does. */
export function readScripts(markdown: string): readonly string[] {
  const setup = readFileSync(join(root, 'bin', 'setup.mjs'), 'utf8');
  return [...markdown.matchAll(/^```sh run\nnpm run (\w+)\n```$/gm)].map(([, name]) => {
    const [, script] = new RegExp(`^  ${name}: \\{ script: '([^']+)'`, 'm').exec(setup) ?? [];
    if (script === undefined) throw new Error(`bin/setup.mjs has no script ${name}`);
    return script;
  });
}

/** @returns the folder of the copy, and a function that deletes it */
export function treeWith(steps: readonly Step[]): {
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'svc-adding-'));
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const step of steps) workStep(folder, step);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

function workStep(folder: string, { file, where, anchor, lines }: Step): void {
  const path = join(folder, file);
  if (where === 'new') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines);
    return;
  }
  const source = readFileSync(path, 'utf8');
  const at = source.indexOf(anchor);
  if (at < 0 || source.includes(anchor, at + 1)) {
    throw new Error(`${file} must have "${anchor}" once`);
  }
  const place = where === 'before' ? at : source.indexOf('\n', at) + 1;
  writeFileSync(path, source.slice(0, place) + lines + source.slice(place));
}
