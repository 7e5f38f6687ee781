// Planted faults and crash points refer to text of the source, which must still exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { plantedFaults } from '../conformance/planted-faults.ts';
import { crashPoints } from '../faults/crash-points.ts';

const root = join(import.meta.dirname, '..', '..');

test('the text of every patch is found', (t) => {
  const lost = [...plantedFaults, ...crashPoints].filter(
    ({ file, from }) => !readFileSync(join(root, file), 'utf8').includes(from),
  );
  t.deepEqual(
    lost.map(({ file, from }) => `${file}: ${from}`),
    [],
  );
});
