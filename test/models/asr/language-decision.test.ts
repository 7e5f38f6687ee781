// Which language a chunk is in, from what was heard and what is known.
import test from 'ava';
import {
  decideLanguage,
  englishOdds,
  isSurelyEnglish,
  isSurelyOther,
  likelihoods,
} from '../../../models/asr/language-decision.ts';

const words = (...means: readonly number[]) =>
  means.map((mean) => ({ word: 'w', meanLogProbability: mean, minLogProbability: mean }));

test('English by sound and words is English; neither foreign sound nor unlikely words are', (t) => {
  t.true(isSurelyEnglish(englishOdds(15, words(-0.1, -0.3)), {}));
  t.false(isSurelyEnglish(englishOdds(-9, words(-0.3)), {}));
  t.false(isSurelyEnglish(englishOdds(5, words(-1.4, -1.6)), {}));
  t.false(isSurelyEnglish(englishOdds(5, []), {}));
});

test('the recording’s language lowers or raises the trust in English words', (t) => {
  const odds = englishOdds(8, words(-0.4));
  t.true(isSurelyEnglish(odds, {}));
  t.false(isSurelyEnglish(odds, { es: 4 }));
  t.true(isSurelyEnglish(englishOdds(5, words(-1.2)), { en: 4 }));
});

test('what sounds foreign is not written down in English, unless the recording is English', (t) => {
  t.true(isSurelyOther(-9, {}));
  t.false(isSurelyOther(-9, { en: 4 }));
  t.false(isSurelyOther(2, {}));
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
