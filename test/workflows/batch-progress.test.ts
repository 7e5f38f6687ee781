// The table of a batch's progress.
import test from 'ava';
import { batchTable } from '../../workflows/batch-progress.ts';

test('the table shows the state of a batch', (t) => {
  const table = batchTable({ total: 50, done: 25, running: 2, stage: 'running' });
  t.regex(table, /\*\*running\*\*/);
  t.regex(table, /\| done \| 25 \|/);
});
