// A part's log while it runs: lines of JSON, and files of a bounded size and number.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openLog, tailOf } from '../../../bin/stack/logs.ts';

function aPath(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-logs-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'part.log');
}

const linesOf = (path: string): any[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('JSON is kept as it is, and everything else is wrapped in JSON', (t) => {
  const path = aPath(t);
  const log = openLog({ path, name: 'Server' });
  log.write('stdout', '{"level":40,"msg":"one"}\n\u001b[33mWARN\u001b[0m two');
  // Of the other stream, in between: it does not end the line.
  log.write('stderr', 'panic: "three"\n');
  log.write('stdout', ' and a half\n[1]\n\n');
  log.write('stderr', 'no end of line');
  log.end();
  const lines = linesOf(path);
  t.deepEqual(lines[0], { level: 40, msg: 'one' });
  t.deepEqual(
    lines.slice(1).map(({ level, name, msg }) => [level, name, msg]),
    [
      [30, 'Server', 'panic: "three"'],
      [30, 'Server', '\u001b[33mWARN\u001b[0m two and a half'],
      [30, 'Server', '[1]'],
      [30, 'Server', 'no end of line'],
    ],
  );
  t.regex(tailOf(path), /panic/);
});

test('lines of a program that has words for levels get the form of all others', (t) => {
  const path = aPath(t);
  const log = openLog({ path, name: 'Temporal' });
  const time = '2026-11-30T17:02:31.437559394Z';
  log.write(
    'stdout',
    `${JSON.stringify({ time, level: 'WARN', msg: 'one', service: 'client' })}\n`,
  );
  log.write('stdout', `${JSON.stringify({ time, level: 'error', msg: 'two' })}\n`);
  log.write('stdout', `${JSON.stringify({ time, level: 'loud', msg: 'three' })}\n`);
  log.end();
  const own = { time: Date.parse('2026-11-30T17:02:31.437Z'), name: 'Temporal' };
  t.deepEqual(linesOf(path), [
    { level: 40, ...own, msg: 'one', service: 'client' },
    { level: 50, ...own, msg: 'two' },
    { level: 'loud', time, msg: 'three' },
  ]);
});

test('a running part fills several files, and old ones are deleted', (t) => {
  const path = aPath(t);
  const maxBytes = 2_000;
  const log = openLog({ path, name: 'Server', maxBytes });
  for (let i = 0; i < 400; i += 1)
    log.write('stdout', `${JSON.stringify({ i, pad: '.'.repeat(60) })}\n`);
  log.end();
  const folder = join(path, '..');
  t.deepEqual(readdirSync(folder).toSorted(), [
    'part.log',
    'part.log.1',
    'part.log.2',
    'part.log.3',
    'part.log.4',
  ]);
  const files = [`${path}.4`, `${path}.3`, `${path}.2`, `${path}.1`, path];
  for (const file of files) t.true(statSync(file).size <= maxBytes, file);
  // Nothing between the oldest line that is kept and the last is lost or repeated.
  const numbers = files.flatMap(linesOf).map(({ i }) => i);
  t.is(numbers.at(-1), 399);
  t.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, i) => 400 - numbers.length + i),
  );
});

test('an existing log is appended to', (t) => {
  const path = aPath(t);
  for (const part of ['first', 'second']) {
    const log = openLog({ path, name: 'Server' });
    log.write('stdout', `${part}\n`);
    log.end();
  }
  t.deepEqual(
    linesOf(path).map(({ msg }) => msg),
    ['first', 'second'],
  );
  t.false(existsSync(`${path}.1`));
});

test('a log that cannot be written loses its lines and nothing else', (t) => {
  const path = aPath(t);
  const log = openLog({ path, name: 'Server', maxBytes: 200 });
  log.write('stdout', `${'a'.repeat(100)}\n`);
  // No further file can be created.
  rmSync(join(path, '..'), { recursive: true });
  t.notThrows(() => {
    for (let i = 0; i < 10; i += 1) log.write('stdout', `${'b'.repeat(100)}\n`);
    log.end();
  });
});

test('output without an end of line is split', (t) => {
  const path = aPath(t);
  const log = openLog({ path, name: 'Server' });
  for (let i = 0; i < 64; i += 1) log.write('stderr', 'x'.repeat(4_096));
  log.end();
  const lines = linesOf(path);
  t.true(lines.length >= 3);
  for (const { msg } of lines) t.true(msg.length <= 70_000);
});
