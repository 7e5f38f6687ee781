// Which language a chunk is in, from what was heard and what is known.
import test from 'ava';
import {
  decideLanguage,
  englishOdds,
  isSurelyEnglish,
  likelihoods,
} from '../../../models/asr/language-decision.ts';

const words = (...means: readonly number[]) =>
  means.map((mean) => ({ word: 'w', meanLogProbability: mean, minLogProbability: mean }));

test('sure words are English, and no words or unlikely ones are not', (t) => {
  t.true(isSurelyEnglish(englishOdds(words(-0.1, -0.3)), {}));
  t.false(isSurelyEnglish(englishOdds(words(-1.2, -1.3)), {}));
  t.false(isSurelyEnglish(englishOdds([]), {}));
});

test('a recording in another language doubts English words; one in English believes more of them', (t) => {
  const odds = englishOdds(words(-0.4));
  t.true(isSurelyEnglish(odds, {}));
  t.false(isSurelyEnglish(odds, { es: 4 }));
  t.true(isSurelyEnglish(englishOdds(words(-0.9)), { en: 4 }));
});

test('an unsure chunk goes by the recording, a sure one does not', (t) => {
  const decide = (es: number, prior: Readonly<Record<string, number>>) =>
    decideLanguage({ heard: { es, fr: 1 - es }, prior });
  t.is(decide(0.7, {}), 'es');
  t.is(decide(0.7, { fr: 4 }), 'fr');
  t.is(decide(0.9999, { fr: 4 }), 'es');
});

test('likelihoods add up to one', (t) => {
  const all = likelihoods({ heard: { en: 0.9, es: 0.1, fr: 0 }, prior: { es: 2 } });
  t.true(Math.abs(Object.values(all).reduce((a, b) => a + b) - 1) < 1e-9);
  t.true(all.fr! > 0);
});
