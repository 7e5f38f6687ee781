// The reference of settings matches the schemas of the roles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { settingsTable } from '../../../bin/settings/settings-table.ts';

test('docs/settings.md has the table that `svc settings` prints', (t) => {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'settings.md');
  const lines = readFileSync(path, 'utf8').split('\n');
  const table = lines.filter((line) => line.startsWith('|'));
  t.deepEqual(table, settingsTable().split('\n'));
});
