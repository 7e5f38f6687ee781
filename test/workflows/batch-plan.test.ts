// From items of a batch to work: every item once, in order, in groups that stay small.
import test from 'ava';
import fc from 'fast-check';
import { batchTable, groupItems } from '../../workflows/batch-plan.ts';

const container = fc.constantFrom('wav', 'mp3', 'ogg', 'flac', 'm4a', 'webm');
const sizes = fc.record({ container, bytes: fc.integer({ min: 1, max: 3_000_000 }) });

test('property: every item is in one group, clips share and recordings do not', (t) => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 300 }), (items) => {
      const groups = groupItems(items.map((item, position) => ({ ...item, position })));
      let next = 0;
      for (const { kind, from, to } of groups) {
        t.is(from, next);
        t.true(to > from && to - from <= (kind === 'clips' ? 25 : 1));
        const bytes = items.slice(from, to).reduce((sum, item) => sum + item.bytes, 0);
        t.true(kind === 'recording' || bytes <= 4_000_000);
        next = to;
      }
      t.is(next, items.length);
    }),
  );
});

test('small clips are grouped, long ones and gaps are not bridged', (t) => {
  const clip = (position: number) => ({ position, container: 'wav' as const, bytes: 64_000 });
  const call = (position: number) => ({ position, container: 'mp3' as const, bytes: 2_000_000 });
  t.deepEqual(groupItems([clip(0), clip(1), call(2), clip(3), clip(5), clip(6)]), [
    { kind: 'clips', from: 0, to: 2 },
    { kind: 'recording', from: 2, to: 3 },
    { kind: 'clips', from: 3, to: 4 },
    { kind: 'clips', from: 5, to: 7 },
  ]);
  const many = Array.from({ length: 60 }, (_, i) => clip(i));
  t.deepEqual(
    groupItems(many).map(({ from, to }) => to - from),
    [25, 25, 10],
  );
  t.deepEqual(groupItems([]), []);
});

test('the table shows the state of a batch', (t) => {
  const table = batchTable({ total: 50, done: 25, running: 2, stage: 'running' });
  t.regex(table, /\*\*running\*\*/);
  t.regex(table, /\| done \| 25 \|/);
});
