// The logs of the parts: one file each, the one before kept when it grows large.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';

const maxLogBytes = 8 * 2 ** 20;
const tailBytes = 8192;
const tailLines = 15;

/** Opens a log for appending; a large one becomes `<path>.1` first. */
export function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** The last lines of a log, indented for an error message. */
export function tailOf(path: string): string {
  if (!existsSync(path)) return '  (there is no log)';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, tailBytes);
    const data = Buffer.alloc(length);
    readSync(file, data, 0, length, size - length);
    const lines = data.toString('utf8').trimEnd().split('\n').slice(-tailLines);
    return lines.map((line) => `  ${line}`).join('\n');
  } finally {
    closeSync(file);
  }
}
