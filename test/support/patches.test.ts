// Planted faults and crash points refer to text of the source, which must still exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { plantedFaults } from '../conformance/planted-faults.ts';
import { crashPoints } from '../faults/crash-points.ts';
import { patchedFork } from './patches.ts';

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

test('a process is not started with a patch whose text is missing', (t) => {
  const file = 'bin/api.ts';
  const lost = { file, from: 'no such statement', to: '' };
  const found = { file, from: '// ', to: '// no such statement' };
  t.throws(() => patchedFork([lost], root), {
    message: 'bin/api.ts has no "no such statement" to be patched',
  });
  t.is(patchedFork([found, lost], root).execArgv.length, 2, 'one after the other');
  t.throws(() => patchedFork([{ ...lost, file: 'bin/none.ts' }], root), { message: /none\.ts/ });
});
