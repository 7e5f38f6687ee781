// Word error rate and normalisation of known cases.
import test from 'ava';
import fc from 'fast-check';
import { normaliseWords } from './text-normalisation.ts';
import { countWordErrors, wordErrorRate } from './wer.ts';

const errors = (reference: string, hypothesis: string) =>
  countWordErrors(normaliseWords(reference), normaliseWords(hypothesis));

test('each kind of error is counted separately', (t) => {
  t.deepEqual(errors('a b c', 'a x c'), {
    substitutions: 1,
    deletions: 0,
    insertions: 0,
    referenceWords: 3,
  });
  t.is(errors('a b c', 'a c').deletions, 1);
  t.is(errors('a b c', 'a b b c').insertions, 1);
  t.is(wordErrorRate([errors('a b', 'a b'), errors('a b', '')]), 0.5);
});

test('edits are bounded by the longer side, and zero only for equal words', (t) => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, (reference, hypothesis) => {
      const e = countWordErrors(reference, hypothesis);
      const edits = e.substitutions + e.deletions + e.insertions;
      t.true(edits <= Math.max(reference.length, hypothesis.length));
      t.true(edits >= Math.abs(reference.length - hypothesis.length));
      t.is(edits === 0, reference.join() === hypothesis.join());
      t.is(reference.length - e.deletions + e.insertions, hypothesis.length);
    }),
  );
});

test('numbers, punctuation and contractions are read alike', (t) => {
  t.deepEqual(normaliseWords("I'm at 25!"), ['i', 'am', 'at', 'twenty', 'five']);
  t.deepEqual(normaliseWords('Press * or #.'), ['press', 'star', 'or', 'pound']);
  t.deepEqual(normaliseWords('1,250'), ['one', 'thousand', 'two', 'hundred', 'fifty']);
  t.deepEqual(normaliseWords('filename'), ['file', 'name']);
});
