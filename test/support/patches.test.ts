// Planted faults and crash points are text of the source: each must still be there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { plantedFaults } from '../conformance/planted-faults.ts';
import { crashPoints } from '../faults/crash-points.ts';

const root = join(import.meta.dirname, '..', '..');

test('every patch finds its place', (t) => {
  const lost = [...plantedFaults, ...crashPoints].filter(
    ({ file, from }) => !readFileSync(join(root, file), 'utf8').includes(from),
  );
  t.deepEqual(
    lost.map(({ file, from }) => `${file}: ${from}`),
    [],
  );
});
