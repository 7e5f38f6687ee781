// A bounded set drops what was added longest ago.
import test from 'ava';
import { createRecentSet } from '../../../models/concurrency/recent-set.ts';

test('the member that was added longest ago is dropped', (t) => {
  const set = createRecentSet(2);
  set.add('first');
  set.add('second');
  set.add('first');
  set.add('third');
  t.deepEqual(
    ['first', 'second', 'third'].map((name) => set.has(name)),
    [true, false, true],
  );
});

test('additions are counted until the member is deleted', (t) => {
  const set = createRecentSet(2);
  t.deepEqual([set.add('file'), set.add('file'), set.add('other')], [1, 2, 1]);
  set.delete('file');
  t.false(set.has('file'));
  t.is(set.add('file'), 1);
});
