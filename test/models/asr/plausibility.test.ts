// Rejection of implausible transcripts.
import test from 'ava';
import { isPlausible, longestRepeat } from '../../../models/asr/plausibility.ts';

const token = (id: number, logProbability = 0) => ({ id, logProbability });

test('loops, babble and empty text are implausible; a normal sentence is plausible', (t) => {
  const chunk = (ids: readonly number[], logProbability: number, ended = true) =>
    isPlausible({ tokens: ids.map((id) => token(id, logProbability)), ended, durationSeconds: 5 });
  t.true(chunk([5, 6, 7, 8, 9, 10], -0.3));
  t.false(chunk([], 0));
  t.false(chunk([5, 6, 7, 8, 9], -2));
  t.false(chunk([5], -1));
  t.false(chunk([5, 6, 5, 6, 5, 6, 5, 6, 5, 6], -0.1));
});

test('repeats are counted for periods of one to eight tokens', (t) => {
  t.is(longestRepeat([1, 2, 3]), 1);
  t.is(longestRepeat([1, 1, 1]), 3);
  t.is(longestRepeat([9, 1, 2, 1, 2, 1, 2]), 3);
});
