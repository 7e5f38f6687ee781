// Batch bodies are parsed outside the event loop, and no body affects the parsing of another one.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { createBatchParser } from '../../../api/batches/batch-parser.ts';
import { parseBatch } from '../../../api/batches/parse-batch.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
import { countTurns } from '../../support/event-loop.ts';

const item = (i: number) => ({
  custom_id: `call-${i}`,
  file_id: `file-${i.toString(16).padStart(24, '0')}`,
  metadata: { agent: 'x'.repeat(400), queue: 'y'.repeat(400), note: 'z'.repeat(400) },
});

function body(items: readonly unknown[], more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ task: 'emotion', items, ...more }));
}

const large = body(Array.from({ length: 10_000 }, (_, i) => item(i)));

test.serial('a large body parses to the same value as on the event loop', async (t) => {
  const parser = createBatchParser();
  t.teardown(() => parser.close());
  const [copy, whole] = [Buffer.from(large), parseBatch(large)];
  const parsed = await parser.parse('org', [copy]);
  t.is(parsed.items.length, 10_000);
  t.deepEqual(parsed.items[9_999], whole.items[9_999]);
  t.is(parsed.fingerprint, whole.fingerprint);
  t.deepEqual({ ...parsed.head }, { ...whole.head });
});

test.serial('the event loop turns many times while a large body is parsed', async (t) => {
  const parser = createBatchParser();
  t.teardown(() => parser.close());
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const counter = countTurns();
  await parser.parse('org', [large]);
  const turns = counter.stop();
  delays.disable();
  // Ten thousand items of 1.3 kB in pieces of 64 thousand characters, each in its own turn.
  t.true(turns > 150, `${turns} turns`);
  const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1);
  t.log(`gaps: p99.9 ${ms(delays.percentile(99.9))} ms, worst ${ms(delays.max)} ms`);
});

const children = (): readonly number[] => childrenThatRun('batches/parser-child');

test.serial('a parser that was killed is no fault of a body', async (t) => {
  const parser = createBatchParser();
  t.teardown(() => parser.close());
  await parser.parse('org', [large]);
  process.kill(children()[0]!, 'SIGKILL');
  t.is((await parser.parse('org', [large])).items.length, 10_000, 'before a body');
  const [second] = children();
  const parsed = parser.parse('org', [large]);
  process.kill(second!, 'SIGKILL');
  t.is((await parsed).items.length, 10_000, 'with a body');
  const ended = t.throwsAsync(parser.parse('org', [large]), { code: 'not_ready' });
  parser.close();
  await ended;
});

test.serial('nor is one that gives no answer in time', async (t) => {
  const parser = createBatchParser({ deadlineMs: 3_000 });
  t.teardown(() => parser.close());
  const started = parser.parse('org', [large]);
  process.kill(children()[0]!, 'SIGSTOP');
  await t.throwsAsync(started, { code: 'not_ready' });
});

for (const [name, bytes, code] of [
  ['no JSON', Buffer.from(`{"items": ${'['.repeat(50_000)}`), 'invalid_json'],
  ['no UTF-8', Buffer.alloc(40_000, 0xff), 'invalid_json'],
  ['an unknown field', body([item(1)], { more: 'x'.repeat(40_000) }), 'unknown_field'],
  ['too many items', body(Array<number>(1_000_000).fill(1)), 'invalid_field'],
  [
    'an item that is none',
    body([...Array<number>(9_000).fill(1), 'x'.repeat(40_000)]),
    'invalid_field',
  ],
  ['a name twice', body(Array.from({ length: 60 }, () => item(1))), 'invalid_field'],
  [
    'a member twice',
    Buffer.from(
      body([item(1)])
        .toString()
        .replace('"items"', `"items":[${' '.repeat(40_000)}],"items"`),
    ),
    'duplicate_field',
  ],
  ['an unknown task', body([item(1)], { task: 'x'.repeat(40_000) }), 'invalid_field'],
] as const) {
  test.serial(`rejected as on the event loop: ${name}`, async (t) => {
    const parser = createBatchParser();
    t.teardown(() => parser.close());
    const direct = t.throws(() => parseBatch(bytes), { instanceOf: ServiceError });
    const copy = Buffer.from(bytes);
    const concurrent = await t.throwsAsync(parser.parse('org', [copy]), {
      instanceOf: ServiceError,
    });
    t.is(concurrent.code, code);
    t.deepEqual(
      [concurrent.code, concurrent.message, concurrent.param],
      [direct.code, direct.message, direct.param],
    );
    t.is((await parser.parse('org', [large])).items.length, 10_000);
  });
}

const bodyBytes = 16 * 2 ** 20;
const filled = (start: string, unit: string, end: string): Buffer =>
  Buffer.from(`${start}${unit.repeat((bodyBytes - start.length) / unit.length - 1)}${end}`);
/** The most memory that a process has had. */
const peakMebibytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

for (const [name, bytes] of [
  ['empty items', filled('{"items":[', '{},', '{}]}')],
  ['empty lists', filled('{"items":[', '[],', '[]]}')],
  ['numbers', filled('{"items":[', '1,', '1]}')],
  ['a list in a list', filled('', '[', '[')],
] as const) {
  test.serial(`what would become too much is not built: ${name}`, async (t) => {
    const parser = createBatchParser();
    t.teardown(() => parser.close());
    await parser.parse('org', [large]);
    const [child] = children();
    const error = await t.throwsAsync(parser.parse('org', [bytes]), { instanceOf: ServiceError });
    t.is(error.code, 'invalid_json');
    t.regex(error.message, /too complex/);
    t.deepEqual(children(), [child]);
    const peak = peakMebibytes(child!);
    t.true(peak < 256, `${peak} MiB`);
  });
}

test('brackets and commas within texts make no body complex', (t) => {
  const note = '{[,"\\'.repeat(100);
  const items = Array.from({ length: 10_000 }, (_, i) => ({ ...item(i), metadata: { note } }));
  t.is(parseBatch(body(items)).items[9_999]!.metadata.note, note);
});

test.serial(
  'a body that exhausts the memory ends only its process, and the next one is parsed',
  async (t) => {
    const parser = createBatchParser({ maxHeapMebibytes: 64 });
    t.teardown(() => parser.close());
    const bomb = Buffer.from(`{"items":[${`"${'x'.repeat(200)}",`.repeat(400_000)}1]}`);
    const error = await t.throwsAsync(parser.parse('org', [bomb]), { instanceOf: ServiceError });
    t.is(error.code, 'invalid_json');
    const small = body(Array.from({ length: 100 }, (_, i) => item(i)));
    t.is((await parser.parse('org', [small])).items.length, 100);
  },
);

test('a pair whose name validation would leave out is refused by its place', (t) => {
  const pairs = JSON.parse('{"a": "b", "__proto__": "c"}') as Record<string, string>;
  const ofItem = body([item(0), { ...item(1), metadata: pairs }]);
  t.throws(() => parseBatch(ofItem), {
    ...{ code: 'invalid_field', message: /^`items\.1\.metadata`/ },
  });
  const head = JSON.parse(Buffer.from(body([item(0)])).toString()) as object;
  const ofBatch = Buffer.from(JSON.stringify({ ...head, metadata: pairs }));
  t.throws(() => parseBatch(ofBatch), { code: 'invalid_field', message: /^`metadata`/ });
});
