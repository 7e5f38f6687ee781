// What has to be recognised in a span, by what two models have heard in it.
import test from 'ava';
import { wordsNeeded } from '../../../models/affect/no-speech.ts';

test('the less two models hear speech, the more has to be said', (t) => {
  for (const [logit, odds, needed] of [
    [0.9, 5, null],
    [1, 5, 'any'],
    [2.9, -2.5, 'any'],
    [1, -4, 'any'],
    [1, -4.1, 'sure'],
    [3, -2.5, 'none'],
    [3, -2.6, 'any'],
    [6.9, -2.6, 'any'],
    [6.9, -4.1, 'sure'],
    [7, -20, 'none'],
  ] as const) {
    t.is(wordsNeeded({ logit, odds }), needed, `${logit}, ${odds}`);
  }
});
