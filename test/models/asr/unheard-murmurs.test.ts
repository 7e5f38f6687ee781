// What a cough is written as.
import test from 'ava';
import { withoutUnheardMurmurs } from '../../../models/asr/unheard-murmurs.ts';

const word = (text: string, start: number, confidence: number) => ({
  ...{ word: text, start, end: start + 0.3, confidence },
});
const kept = (...words: readonly ReturnType<typeof word>[]) =>
  withoutUnheardMurmurs(words).map(({ word: text }) => text);

test('a murmur alone between pauses that is hardly heard is none', (t) => {
  t.deepEqual(kept(word('Uh-huh.', 0, 0.01)), []);
  t.deepEqual(kept(word('country.', 0, 0.9), word('Mm-hmm,', 3, 0.19), word('The', 5, 0.9)), [
    'country.',
    'The',
  ]);
  t.deepEqual(kept(word('Uh-huh.', 0, 0.01), word('Uh-huh.', 2, 0)), []);
});

test('a murmur that was heard, or is within a sentence, and other words stay', (t) => {
  t.deepEqual(kept(word('Uh-huh.', 0, 0.5)), ['Uh-huh.']);
  t.deepEqual(kept(word('huh', 0, 0.1), word('no', 0.4, 0.9)), ['huh', 'no']);
  t.deepEqual(kept(word('Yes.', 0, 0.05)), ['Yes.']);
  t.deepEqual(withoutUnheardMurmurs([{ ...word('Huh?', 0, 0), confidence: null }]).length, 1);
});
