// Which chunks the rest of a recording puts into another language.
import test from 'ava';
import {
  selectForSecondPass,
  type ChunkLanguage,
} from '../../../../models/analysis/languages/language-vote.ts';

const english = (index: number, odds = 4): ChunkLanguage => ({
  ...{ index, seconds: 10, language: 'en', languages: null, english: odds },
});
const chunkIn = (
  index: number,
  language: string,
  languages: Readonly<Record<string, number>>,
  seconds = 10,
): ChunkLanguage => ({ index, seconds, language, languages, english: -3 });
const spanish = (index: number) => chunkIn(index, 'es', { en: 0.001, es: 0.99, it: 0.009 });

test('a recording in one language needs no second pass', (t) => {
  t.deepEqual(selectForSecondPass([english(0), english(1), english(2)]), []);
  t.deepEqual(selectForSecondPass([spanish(0), spanish(1)]), []);
  t.deepEqual(selectForSecondPass([english(0, -2)]), []);
  t.deepEqual(selectForSecondPass([]), []);
});

test('an uncertain chunk takes the language of the others', (t) => {
  const unsure = chunkIn(2, 'it', { en: 0.01, es: 0.35, it: 0.64 }, 1);
  const again = selectForSecondPass([spanish(0), spanish(1), unsure, spanish(3)]);
  t.deepEqual(
    again.map(({ index, language }) => ({ index, language })),
    [{ index: 2, language: 'es' }],
  );
});

test('a certain chunk keeps its language, however long the rest is', (t) => {
  const french = chunkIn(50, 'fr', { en: 0.0001, es: 0.0001, fr: 0.9998 });
  const call = Array.from({ length: 50 }, (_, i) => spanish(i));
  t.deepEqual(selectForSecondPass([...call, french]), []);
});

test('a few minutes of a language weigh nothing in an hour of another', (t) => {
  const italian = (index: number) => chunkIn(index, 'it', { en: 0.01, es: 0.09, it: 0.9 });
  const hour = Array.from({ length: 300 }, (_, i) => spanish(i));
  const minutes = Array.from({ length: 18 }, (_, i) => italian(300 + i));
  const again = selectForSecondPass([...hour, ...minutes]);
  t.deepEqual(
    again.map(({ language }) => language),
    minutes.map(() => 'es'),
  );
  t.true(again[0]!.languages!.it! < 0.2, 'what was detected counts with the rest of the recording');
  const half = Array.from({ length: 300 }, (_, i) => italian(300 + i));
  t.deepEqual(selectForSecondPass([...hour, ...half]), [], 'both are spoken');
});

test('English words in a call of another language are checked by Whisper', (t) => {
  const [again, ...more] = selectForSecondPass([spanish(0), spanish(1), english(2, 2.6)]);
  t.like(again, { index: 2, language: null });
  t.true(again!.prior.es! > 1);
  t.deepEqual(more, []);
});

test('a strong accent taken for another language is English in an English call', (t) => {
  const accent = chunkIn(3, 'cs', { en: 0.3, cs: 0.7 }, 3);
  const again = selectForSecondPass([english(0), english(1), english(2), accent]);
  t.like(again[0], { index: 3, language: 'en' });
});

test('chunks that an earlier version stored count as settled', (t) => {
  t.deepEqual(selectForSecondPass([spanish(0), { index: 1, seconds: 10 }]), []);
});
