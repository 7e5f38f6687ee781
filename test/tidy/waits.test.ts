// No test decides by the clock: it waits for what happens, however long a machine takes.
import test from 'ava';
import { isCode, readTree, type TreeFile } from './tree.ts';

/** Each of them measures the machine. */
const limits: readonly RegExp[] = [
  // A number of tries, or a point in time, after which something is taken not to happen.
  /for \([^;]*; [^;]*\w+ < [\d_]+[^;]*; \w+ \+= [^{]*\{?[^{}]*\bsleep\(/,
  /while \([^{]*\b(now|end|deadline)\b[^{]*\{?[^{}]*\bsleep\(/i,
  /\brace\(\[[^\]]*\b(sleep|setTimeout)\(/,
  /\bAbortSignal\.timeout\(/,
  /\bt\.timeout\(/,
  // As an option: of a browser's wait, of a client.
  /\btimeout: [\d_]+/,
];

function limitsIn(files: readonly Pick<TreeFile, 'path' | 'text'>[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    limits.flatMap((limit) => {
      const found = limit.exec(text)?.[0];
      return found === undefined ? [] : [`${path}: ${found.split('\n')[0]}`];
    }),
  );
}

const own = 'test/tidy/waits.test.ts';
const tests = readTree()
  .filter(isCode)
  .filter(({ path }) => path.endsWith('.test.ts') && path !== own);

test('no test has a time limit of its own: test/support/until.ts waits', (t) => {
  t.deepEqual(limitsIn(tests), []);
});

test('the limits are found, and what waits for an event or lets time pass is not', (t) => {
  const inTest = (text: string) => limitsIn([{ path: 'a.test.ts', text }]).length;
  for (const text of [
    'for (let i = 0; i < 100 && !done(); i += 1) await sleep(50);',
    'for (let i = 0; i < 50; i += 1) {\n  if (done()) return;\n  await sleep(100);\n}',
    'while (Date.now() < end) {\n  await sleep(5);\n}',
    't.true(await Promise.race([over, sleep(10_000, false)]));',
    'await fetch(url, { signal: AbortSignal.timeout(5_000) });',
    't.timeout(240_000);',
    'await page.goto(url, { timeout: 10_000 });',
  ]) {
    t.is(inTest(text), 1, text);
  }
  for (const text of [
    'for (let i = 0; i < 50; i += 1) {\n  send();\n}\nawait until(() => received === 50);',
    'await sleep(1_000 * retryAfter);\nt.is((await send()).status, 200);',
    'while (!over) await new Promise(setImmediate);',
  ]) {
    t.is(inTest(text), 0, text);
  }
});
