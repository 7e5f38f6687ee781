// Rejection of implausible transcripts.
import test from 'ava';
import {
  distinctPairs,
  fitsItsTime,
  longestRepeat,
  plausibleTokens,
} from '../../../models/asr/plausibility.ts';

const token = (id: number, logProbability = 0) => ({ id, logProbability });

const spokenIn = (seconds: number, ids: readonly number[], logProbability = -0.1, ended = true) => {
  const tokens = ids.map((id) => token(id, logProbability));
  return plausibleTokens({ ended, durationSeconds: seconds }, tokens).map(({ id }) => id);
};
const times = (count: number, ...ids: number[]): number[] =>
  Array.from({ length: count }, () => ids).flat();

test('babble and empty text are implausible; a normal sentence is plausible', (t) => {
  const sentence = [5, 6, 7, 8, 9, 10];
  t.deepEqual(spokenIn(5, sentence, -0.3), sentence);
  t.deepEqual(spokenIn(5, []), []);
  t.deepEqual(spokenIn(5, [5, 6, 7, 8, 9], -2), []);
  t.deepEqual(spokenIn(5, [5], -1), []);
});

test('what is repeated at the pace of a speaker was said: sixteen equal digits of a card', (t) => {
  const card = [1, 2, 3, ...times(16, 4, 5)];
  t.deepEqual(spokenIn(12, card), card);
  t.deepEqual(spokenIn(4, card), [], 'faster than anybody speaks');
  t.deepEqual(spokenIn(30, times(20, 4)), [], 'more than anybody repeats');
});

test('of a text that loops without an end its words before the loop are kept', (t) => {
  const endless = [1, 2, 3, 4, 5, ...times(30, 8, 9)];
  t.deepEqual(spokenIn(10, endless, -0.1, false), [1, 2, 3, 4, 5, 8, 9]);
  t.deepEqual(spokenIn(10, [1, ...times(30, 8, 9)], -0.1, false), [], 'it begins with the loop');
  const cut = [1, 2, 3, 4, 5, 6];
  t.deepEqual(spokenIn(1, cut, -0.1, false), cut, 'no loop, only the limit');
});

const phrase = [11, 12, 13, 14, 15, 16, 17, 18, 19];
/** Likely wherever the phrase comes again, as a decoder that loops writes it. */
const looping = (repeats: number, firstLogProbability: number) => [
  ...phrase.map((id) => token(id, firstLogProbability)),
  ...times(repeats - 1, ...phrase).map((id) => token(id, -0.02)),
];

test('a sentence that was hardly heard and comes again and again was not said', (t) => {
  const kept = (repeats: number, firstLogProbability: number) =>
    plausibleTokens({ ended: true, durationSeconds: 25 }, looping(repeats, firstLogProbability))
      .length;
  t.is(kept(5, -1.2), 0);
  t.is(kept(4, -0.7), 0);
  t.is(kept(3, -0.7), 3 * phrase.length, 'three times are said more often than four');
  t.is(kept(3, -0.9), 0);
  t.is(kept(5, -0.4), 5 * phrase.length, 'a refrain, or somebody who has to say it often');
  t.is(kept(2, -1.2), 2 * phrase.length, 'twice is not rare');
  const words = [1, 2, 3, 4].map((id) => token(id, -1));
  const again = times(3, 1, 2, 3, 4).map((id) => token(id, -0.02));
  t.is(
    plausibleTokens({ ended: true, durationSeconds: 9 }, [...words, ...again]).length,
    16,
    'a few words are said four times',
  );
});

test('words before an endless loop are kept where they were heard', (t) => {
  const before = (logProbability: number) => [1, 2, 3, 4, 5].map((id) => token(id, logProbability));
  const read = (logProbability: number) =>
    plausibleTokens({ ended: false, durationSeconds: 14 }, [
      ...before(logProbability),
      ...looping(9, logProbability),
    ]).length;
  t.is(read(-0.3), 5 + phrase.length);
  t.is(read(-0.9), 0);
});

test('repeats are counted for periods of one to 24 tokens', (t) => {
  t.is(longestRepeat([1, 2, 3]), 1);
  t.is(longestRepeat([1, 1, 1]), 3);
  t.is(longestRepeat([9, 1, 2, 1, 2, 1, 2]), 3);
  t.is(longestRepeat(times(4, ...Array.from({ length: 20 }, (_, i) => i))), 4);
  t.is(longestRepeat([]), 0);
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

test('phrases that come again have fewer distinct pairs', (t) => {
  const share = (text: string): number => distinctPairs(text.split(' ').map((word) => ({ word })));
  t.is(share('I would like to change my address, please.'), 1);
  t.is(share('The first is the first is the first.'), 4 / 8);
});
