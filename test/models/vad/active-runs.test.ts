// Runs of speech from probabilities per hop, and bridging of the gaps between them.
import test from 'ava';
import fc from 'fast-check';
import { activeRuns, bridgeGaps } from '../../../models/vad/active-runs.ts';

const run = (startHop: number, endHop: number) => ({ startHop, endHop });

test('a run opens at the upper threshold, closes below the lower one, or at the end', (t) => {
  const values = [0.5, 0.8, 0.5, 0.4, 0.2, 0.5, 0.9, 0.6];
  const runs = activeRuns(values.length, (hop) => values[hop]!, { on: 0.7, off: 0.4 });
  t.deepEqual(runs, [run(1, 4), run(6, 8)]);
  t.deepEqual(
    activeRuns(0, () => 1, { on: 0.7, off: 0.4 }),
    [],
  );
});

test('only gaps shorter than the limit are bridged', (t) => {
  t.deepEqual(bridgeGaps([run(0, 2), run(4, 6), run(9, 10)], 3), [run(0, 6), run(9, 10)]);
});

test('a gap is not bridged when the joined run would exceed the maximum', (t) => {
  t.deepEqual(bridgeGaps([run(0, 4), run(5, 9), run(10, 12)], 3, 9), [run(0, 9), run(10, 12)]);
});

test('property: bridged runs are ordered, cover all speech and keep the maximum', (t) => {
  const lengths = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
  );
  fc.assert(
    fc.property(lengths, (pairs) => {
      let at = 0;
      const runs = pairs.map(([gap, length]) => {
        const startHop = at + gap;
        at = startHop + length;
        return run(startHop, at);
      });
      const bridged = bridgeGaps(runs, 4, 20);
      const inside = (hop: number) => (own: typeof runs) =>
        own.some(({ startHop, endHop }) => hop >= startHop && hop < endHop);
      for (let hop = 0; hop < at; hop += 1) if (inside(hop)(runs)) t.true(inside(hop)(bridged));
      bridged.forEach(({ startHop, endHop }, i) => {
        t.true(endHop - startHop <= 20);
        if (i > 0) t.true(startHop > bridged[i - 1]!.endHop);
      });
    }),
  );
});
