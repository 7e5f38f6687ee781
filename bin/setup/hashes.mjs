// Hashes of the servers' programs: those that tools/programs.json pins, and those of programs that
// were built on this machine.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './directories.mjs';

const pinsPath = join(repositoryRoot, 'tools', 'programs.json');

const blockBytes = 2 ** 20;

/**
 * Reads block by block: set-up stays for as long as what it starts, and keeps what it once held.
 * @returns {string} lower-case hexadecimal
 */
export function sha256OfFile(path) {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(blockBytes);
  const file = fs.openSync(path, 'r');
  try {
    for (;;) {
      const bytes = fs.readSync(file, block);
      if (bytes === 0) return hash.digest('hex');
      hash.update(block.subarray(0, bytes));
    }
  } finally {
    fs.closeSync(file);
  }
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
