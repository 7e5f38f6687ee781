// Memory that is freed between blocks that live on goes back to the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { findTrim } from '../../../models/memory/return-freed.ts';

const module = join(import.meta.dirname, '../../../models/memory/return-freed.ts');
/** Half of these are freed, and each freed one lies between two that stay. */
const blocks = 2_000;
const blockBytes = 65_536;

/** Prints its resident bytes before and after the half is freed, and then again and again. */
const program = (call: string): string => `
  import { readFileSync } from 'node:fs';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { returnFreedMemory } from ${JSON.stringify(module)};
  const print = () => console.log(process.memoryUsage.rss());
  const kept = Array.from({ length: ${blocks} }, () => Buffer.alloc(${blockBytes}, 1));
  print();
  for (let i = 0; i < kept.length; i += 2) kept[i] = null;
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  ${call}
  setInterval(print, 50);
  process.stdin.on('end', () => process.exit()).resume();`;

/** Resident bytes that a process gives back within its first prints, or until it has. */
async function givenBack(t: ExecutionContext, call: string, prints: number): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(call)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // As inference processes have it, whose blocks of this size are not mapped one by one.
    env: { ...process.env, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '8388608' },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let first: number | null = null;
  let most = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    first ??= Number(line);
    most = Math.max(most, first - Number(line));
    prints -= 1;
    if (prints === 0 || most > wanted) break;
  }
  child.stdin.end();
  await once(child, 'exit');
  return most;
}

/** A third of what is freed: a collector that has other things to do may leave some of it. */
const wanted = (blocks * blockBytes) / 2 / 3;

test('what lies between living blocks is given back', async (t) => {
  if (findTrim() === null) return t.log('this C library has no malloc_trim');
  t.true((await givenBack(t, '', 20)) < wanted, 'by itself glibc keeps it');
  t.true((await givenBack(t, 'returnFreedMemory(100);', 10_000)) > wanted);
});
