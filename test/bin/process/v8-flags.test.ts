// Samples that pass through do not cause collections of the whole heap.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const flags = join(import.meta.dirname, '..', '..', '..', 'bin', 'process', 'v8-flags.ts');

/** Prints how often the whole heap is collected while 1 GB passes through beside a live heap. */
const program = (setFlags: string): string => `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate as nextTurn } from 'node:timers/promises';
  import { setV8Flags } from ${JSON.stringify(flags)};
  ${setFlags}
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
    }
  }).observe({ entryTypes: ['gc'] });
  globalThis.live = Array.from({ length: 1e6 }, (_, i) => ({ i }));
  for (let block = 0; block < 2_000; block += 1) {
    new Int16Array(250_000);
    if (block % 100 === 0) await nextTurn();
  }
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  console.log(collections);`;

async function collections(setFlags: string): Promise<number> {
  const args = ['--input-type=module', '--eval', program(setFlags)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

test('a gigabyte of samples is no reason to collect the whole heap', async (t) => {
  const usual = await collections('');
  const own = await collections('setV8Flags();');
  t.true(usual >= 5, `${usual} by default`);
  t.true(own <= usual / 2, `${own} with the flags`);
});
