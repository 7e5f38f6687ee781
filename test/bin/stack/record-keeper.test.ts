// The record of a running stack on a disk that takes nothing for a while.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createRecordKeeper } from '../../../bin/stack/record-keeper.ts';
import { readRecord } from '../../../bin/stack/stack-record.ts';

test('what cannot be written is written later, is said once, and throws nothing', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-record-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  // As long as the folder is missing every write fails.
  const folder = join(parent, 'data');
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const keeper = createRecordKeeper(
    folder,
    (line) => lines.push(line),
    (run) => waiting.push(run),
  );
  keeper.write({ parts: [], environment: { version: 'first' } });
  keeper.write({ parts: [], environment: { version: 'second' } });
  waiting.shift()!();
  t.is(lines.length, 1);
  t.regex(lines[0]!, /stack\.json cannot be written/);
  t.is(waiting.length, 1, 'one attempt at a time');
  t.false(keeper.isWritten());

  mkdirSync(folder);
  waiting.shift()!();
  t.true(keeper.isWritten());
  t.is(readRecord(folder)?.environment.version, 'second');
  t.deepEqual(readdirSync(folder), ['stack.json'], 'nothing half written stays');
  t.is(lines.length, 2);
});
