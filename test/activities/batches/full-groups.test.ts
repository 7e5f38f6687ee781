// A group of small files that become more samples than a worker has memory for.
import test from 'ava';
import { aClipGroup } from '../../support/clip-group.ts';
import { createFakePool } from '../../support/fake-pool.ts';

test('a group holds a bounded amount of samples; what is beyond gets workflows', async (t) => {
  const clipSeconds = 290;
  const bytes = Array.from({ length: 12 }, (_, i) => 10 + i);
  const group = await aClipGroup(t, createFakePool(), { bytes, clipSeconds });
  const { long, done } = await group.analyze();
  const debited = await group.debitedSeconds();
  t.deepEqual(debited, [290, 290, 290]);
  t.deepEqual({ long: long.length, done }, { long: 9, done: 3 });
});
