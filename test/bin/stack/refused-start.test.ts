// A second start on the data directory of a running stack.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readSettings } from '../../../bin/stack/settings.ts';
import { AlreadyRunningError, writeRecord } from '../../../bin/stack/stack-record.ts';
import { createStack } from '../../../bin/stack/stack.ts';

test('it is refused, and changes nothing: the database still reaches its files', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-refused-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'data');
  mkdirSync(folder);
  // This process stands for the stack that runs.
  writeRecord(folder, { parts: [], environment: {} });
  // As for PostgreSQL's own user (bin/stack/private-folder.ts).
  chmodSync(folder, 0o710);

  const stack = createStack(readSettings({ SVC_DATA_DIR: folder }), () => {});
  await t.throwsAsync(stack.start(), { instanceOf: AlreadyRunningError });
  await stack.stop();

  t.is(statSync(folder).mode & 0o777, 0o710);
  t.deepEqual(readdirSync(folder), ['stack.json'], 'the record of the running stack stays');
});
