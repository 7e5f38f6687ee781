// The language of a chunk from its detection and the prior of the recording.
import test from 'ava';
import {
  decideLanguage,
  englishLogOdds,
  isClearlyEnglish,
  isClearlyNotEnglish,
  languagePosteriors,
} from '../../../models/asr/language-decision.ts';

const odds = { sound: 0.3, words: 3, offset: 2.9 };
const words = (...means: readonly number[]) =>
  means.map((mean) => ({ word: 'w', meanLogProbability: mean, minLogProbability: mean }));

test('English sound with likely words is English; neither is enough alone', (t) => {
  t.true(isClearlyEnglish(englishLogOdds(15, words(-0.1, -0.3), odds), {}));
  t.false(isClearlyEnglish(englishLogOdds(-9, words(-0.3), odds), {}));
  t.false(isClearlyEnglish(englishLogOdds(5, words(-1.4, -1.6), odds), {}));
  t.false(isClearlyEnglish(englishLogOdds(5, [], odds), {}));
});

test('the recording’s language lowers or raises the trust in English words', (t) => {
  const logOdds = englishLogOdds(8, words(-0.4), odds);
  t.true(isClearlyEnglish(logOdds, {}));
  t.false(isClearlyEnglish(logOdds, { es: 4 }));
  t.true(isClearlyEnglish(englishLogOdds(5, words(-1.2), odds), { en: 4 }));
});

test('a chunk unlike English skips Moonshine, unless the recording is English', (t) => {
  t.true(isClearlyNotEnglish(-2.7, {}));
  t.false(isClearlyNotEnglish(-2.7, { en: 4 }));
  t.false(isClearlyNotEnglish(0.6, {}));
});

test('the prior decides the language of an uncertain chunk, not of a certain one', (t) => {
  const decide = (es: number, prior: Readonly<Record<string, number>>) =>
    decideLanguage({ detected: { es, fr: 1 - es }, prior });
  t.is(decide(0.7, {}), 'es');
  t.is(decide(0.7, { fr: 4 }), 'fr');
  t.is(decide(0.9999, { fr: 4 }), 'es');
});

test('posteriors sum to one', (t) => {
  const all = languagePosteriors({ detected: { en: 0.9, es: 0.1, fr: 0 }, prior: { es: 2 } });
  t.true(Math.abs(Object.values(all).reduce((a, b) => a + b) - 1) < 1e-9);
  t.true(all.fr! > 0);
});
