// The language of a chunk from its detection and the prior of the recording.
import test from 'ava';
import {
  decideLanguage,
  englishLogOdds,
  isBeyondAccent,
  isClearlyEnglish,
  isClearlyNotEnglish,
  isDoubtfulEnglish,
  languagePosteriors,
  replacesEnglish,
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

const read = (...confidences: readonly number[]) =>
  confidences.map((confidence) => ({ word: 'w', start: 0, end: 1, confidence }));

test('English words that make little sense are doubtful, no words are not', (t) => {
  t.true(isDoubtfulEnglish(read(0.3, 0.7)));
  t.false(isDoubtfulEnglish(read(0.4, 0.71)));
  t.false(isDoubtfulEnglish([]));
});

test('speech of lower odds than any accent has is no English', (t) => {
  t.true(isBeyondAccent(1.49));
  t.false(isBeyondAccent(1.5));
});

test('another language takes the place of English if it is certain or reads better', (t) => {
  const english = read(0.3, 0.5);
  const dutch = (nl: number, confidence: number) => {
    return { language: 'nl', languages: { nl, en: 1 - nl }, words: read(confidence) };
  };
  t.true(replacesEnglish(dutch(0.9, 0.2), english));
  t.true(replacesEnglish(dutch(0.6, 0.41), english));
  t.false(replacesEnglish(dutch(0.89, 0.4), english));
  t.false(replacesEnglish({ ...dutch(0.95, 0.9), words: [] }, english));
  t.false(replacesEnglish({ ...dutch(0.95, 0.9), language: null }, english));
});
