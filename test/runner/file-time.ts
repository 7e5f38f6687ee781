// Loaded by ava before each test file: tells the runner how long the file's process ran.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { fileTimeLine } from './slowest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

process.on('exit', () => {
  const file = relative(folder, fileURLToPath(test.meta.file));
  // `performance.now()` counts from the start of the process.
  process.stderr.write(`${fileTimeLine({ file, ms: performance.now() })}\n`);
});
