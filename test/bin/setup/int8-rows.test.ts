// Matrices of published models by row: within their bits, near what they were.
import test from 'ava';
import fc from 'fast-check';
import { laidOutAs } from '../../../bin/setup/int8-rows.mjs';

const columns = 3;
const row = fc.array(fc.float({ min: -8, max: 8, noNaN: true }), {
  ...{ minLength: columns, maxLength: columns },
});

test('each number is within half a step, and none is beyond its bits', (t) => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(7, 8),
      (all, bits) => {
        const values = Float32Array.from(all.flat());
        const wanted = { rows: all.length, bits };
        const scales = laidOutAs({ ...wanted, kind: 'scale' }, values);
        const bytes = laidOutAs({ ...wanted, kind: 'int8' }, values);
        const steps = 2 ** (bits - 1) - 1;
        for (const [i, value] of values.entries()) {
          const scale = scales[Math.floor(i / columns)]!;
          t.true(Math.abs(bytes[i]!) <= steps);
          t.true(Math.abs(bytes[i]! * scale - value) <= scale * 0.5001 + 1e-30);
        }
      },
    ),
  );
});

test('transposed, columns become rows', (t) => {
  const values = Float32Array.of(63, 0, -63, 126, 126, 0);
  const wanted = { rows: 2, bits: 7 };
  t.deepEqual([...laidOutAs({ ...wanted, kind: 'int8' }, values)], [63, 0, -63, 63, 63, 0]);
  const turned = laidOutAs({ ...wanted, kind: 'int8-transposed' }, values);
  t.deepEqual([...turned], [63, 63, 0, 63, -63, 0]);
});
