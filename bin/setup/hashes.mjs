// Hashes of the servers' programs: those that tools/programs.json pins, and those of programs that
// were built on this machine.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './directories.mjs';

const pinsPath = join(repositoryRoot, 'tools', 'programs.json');

/** @returns {string} lower-case hexadecimal */
export function sha256OfFile(path) {
  return createHash('sha256').update(fs.readFileSync(path)).digest('hex');
}

/** Whether a program of a wheel is the pinned one; those without a pin are tools of developers. */
export function isAsPinned(program, path) {
  const pins = JSON.parse(fs.readFileSync(pinsPath, 'utf8'));
  const expected = pins[program]?.[`${process.platform}-${process.arch}`];
  return expected === undefined || sha256OfFile(path) === expected;
}

/** Writes the hash of a program that was just built beside it. */
export function recordBuild(path) {
  fs.writeFileSync(`${path}.sha256`, `${sha256OfFile(path)}\n`);
}

/**
 * Whether a built program is still what was built. No pin could tell: the result depends on the
 * compilers of the machine, while `go.sum` pins every source. A build without a record is recorded.
 */
export function isAsBuilt(path) {
  const record = `${path}.sha256`;
  if (!fs.existsSync(record)) recordBuild(path);
  return fs.readFileSync(record, 'utf8').trim() === sha256OfFile(path);
}

/** What changes with a file's content, without reading it. */
export function sizeAndTimeOf(path) {
  const { size, mtimeMs } = fs.statSync(path);
  return `${size} ${mtimeMs}`;
}
