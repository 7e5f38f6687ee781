// Whether a recording without words is in English, by its sound.
import test from 'ava';
import { isUnlikelyEnglish } from '../../../../models/analysis/languages/unlikely-english.ts';

const chunk = (english: number | null, seconds: number) => ({
  ...{ index: 0, words: [], english, written: null, inferenceMs: 1 },
  scored: seconds === 0 ? [] : [{ segment: 0, start: 0, end: seconds, readings: [0] }],
});

test('most of what is scored decides, and what is not scored does not count', (t) => {
  t.true(isUnlikelyEnglish([chunk(-3, 6), chunk(2, 6)]));
  t.false(isUnlikelyEnglish([chunk(-3, 2), chunk(2, 6)]));
  t.false(isUnlikelyEnglish([chunk(-3, 0), chunk(2, 1)]), 'no speech in the first');
  t.false(isUnlikelyEnglish([]));
  t.false(isUnlikelyEnglish([chunk(null, 6)]), 'nobody asked');
});
