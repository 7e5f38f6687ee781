// Rejection of implausible transcripts.
import test from 'ava';
import { fitsItsTime, isPlausible, longestRepeat } from '../../../models/asr/plausibility.ts';

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

test('a sentence in half a second is none, however fast somebody speaks', (t) => {
  const spoken = (words: number, seconds: number) =>
    Array.from({ length: words }, (_, i) => {
      return { start: (i * seconds) / words, end: ((i + 1) * seconds) / words };
    });
  t.false(fitsItsTime(spoken(9, 0.6)));
  t.true(fitsItsTime(spoken(9, 1.2)));
  t.true(fitsItsTime(spoken(3, 0.2)), 'too few to tell');
  t.true(fitsItsTime([]));
});
