// Where embedded PostgreSQL can run, as far as it is decided without starting it.
import test from 'ava';
import { readFileSync } from 'node:fs';
import { holdsId } from '../../../bin/stack/postgres-home.ts';

test('a user namespace knows the ids of its ranges alone', (t) => {
  const everyone = '         0          0 4294967295\n';
  t.true(holdsId(everyone, 0));
  t.true(holdsId(everyone, 113));
  const rootAlone = '         0       1000          1\n';
  t.true(holdsId(rootAlone, 0));
  t.false(holdsId(rootAlone, 113));
  const rootless = '         0       1000          1\n         1     100000      65536\n';
  t.true(holdsId(rootless, 1));
  t.true(holdsId(rootless, 65_536));
  t.false(holdsId(rootless, 65_537));
});

test('this namespace knows the user of this process', (t) => {
  if (process.platform !== 'linux') return t.pass();
  t.true(holdsId(readFileSync('/proc/self/uid_map', 'utf8'), process.getuid!()));
});
