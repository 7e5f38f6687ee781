// In which chunks the language of a recording may change.
import test from 'ava';
import { findLanguageChanges } from '../../../models/analysis/language-change.ts';

const chunk = (index: number, language: string, more: object = {}) => ({
  ...{ index, language, seconds: 10, words: ['word'], languages: null, english: 5, ...more },
});
const indices = (chunks: Parameters<typeof findLanguageChanges>[0]) =>
  findLanguageChanges(chunks).map(({ index }) => index);

test('a recording in one language has no change of language', (t) => {
  t.deepEqual(indices([chunk(0, 'en'), chunk(1, 'en'), chunk(2, 'en')]), []);
  t.deepEqual(indices([]), []);
});

test('both chunks beside a change may hold it', (t) => {
  const call = [chunk(0, 'en'), chunk(1, 'en'), chunk(2, 'es'), chunk(3, 'es')];
  t.deepEqual(findLanguageChanges(call), [
    { index: 1, candidates: ['en', 'es'], languages: null, before: 'en', after: 'es' },
    { index: 2, candidates: ['en', 'es'], languages: null, before: 'en', after: 'es' },
  ]);
});

test('a chunk with two detected languages may hold both', (t) => {
  const languages = { en: 0.51, es: 0.45, it: 0.04 };
  t.deepEqual(findLanguageChanges([chunk(0, 'en', { languages })]), [
    { index: 0, candidates: ['en', 'es'], languages, before: null, after: null },
  ]);
  t.deepEqual(indices([chunk(0, 'en', { languages, seconds: 2 })]), []);
});

test('music between chunks is no language', (t) => {
  const music = chunk(1, 'en', { words: [] });
  t.deepEqual(indices([chunk(0, 'es'), { ...music, language: 'es' }, chunk(2, 'es')]), []);
});

test('the other channel is another conversation', (t) => {
  const call = [chunk(0, 'en', { channel: 0 }), chunk(1, 'es', { channel: 1 })];
  t.deepEqual(indices(call), []);
});
