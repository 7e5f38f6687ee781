// In which chunks the language of a recording may change.
import test from 'ava';
import {
  chunksToHear,
  findLanguageChanges,
} from '../../../../models/analysis/languages/language-change.ts';

const spoken = (confidence: number, seconds = 0.5) => {
  return { start: 1, end: 1 + seconds, confidence };
};
const chunk = (index: number, language: string, more: object = {}) => ({
  ...{ index, language, seconds: 10, words: [spoken(0.9)], languages: null, english: 5, ...more },
});
const unclear = { words: [spoken(0.4)] };
const indices = (chunks: Parameters<typeof findLanguageChanges>[0]) =>
  findLanguageChanges(chunks).flatMap((each) => each.chunks.map(({ index }) => index));

test('a recording in one language has no change of language', (t) => {
  t.deepEqual(indices([chunk(0, 'en'), chunk(1, 'en'), chunk(2, 'en')]), []);
  t.deepEqual(indices([]), []);
});

test('both chunks beside a change may hold it, and two more of English', (t) => {
  const call = ['en', 'en', 'en', 'en', 'es'].map((language, i) => chunk(i, language));
  const own = { candidates: ['en', 'es'], languages: null, mayHideOthers: false };
  const chunks = [1, 2, 3, 4].map((index) => ({ index, ...own }));
  t.deepEqual(findLanguageChanges(call), [{ before: 'en', after: null, chunks }]);
});

test('chunks in another language may hold English that is a minute away', (t) => {
  const codes = ['es', 'es', 'es', 'es', 'es', 'es', 'es', 'es', 'en'];
  const far = codes.map((code, i) => chunk(i, code, { english: code === 'en' ? 5 : -4 }));
  t.deepEqual(indices(far), [2, 3, 4, 5, 6, 7, 8]);
  t.is(indices(far.with(0, chunk(0, 'es', { english: -1 })))[0], 0, 'it sounds like English');
  const french = ['es', 'es', 'es', 'fr', 'fr'].map((code, i) => chunk(i, code, unclear));
  t.deepEqual(indices(french), [2, 3]);
});

test('what Whisper alone takes for English suggests that to its neighbours only', (t) => {
  const codes = ['es', 'es', 'es', 'es', 'en', 'es', 'es'];
  const call = codes.map((code, i) => chunk(i, code, { english: -0.5 }));
  t.deepEqual(indices(call), [3, 4, 5]);
});

test('changes with a chunk in one language between them are decided alone', (t) => {
  const codes = ['es', 'fr', 'fr', 'fr', 'it', 'it'];
  const call = codes.map((language, i) => chunk(i, language, unclear));
  const found = findLanguageChanges(call);
  t.deepEqual(
    found.map(({ before, after, chunks }) => [before, chunks.map(({ index }) => index), after]),
    [
      [null, [0, 1], 'fr'],
      ['fr', [3, 4], 'it'],
    ],
  );
});

test('a chunk with two detected languages may hold both', (t) => {
  const languages = { en: 0.51, es: 0.45, it: 0.04 };
  const chunks = [{ index: 0, candidates: ['en', 'es'], languages, mayHideOthers: false }];
  t.deepEqual(findLanguageChanges([chunk(0, 'en', { languages })]), [
    { before: null, after: null, chunks },
  ]);
  t.deepEqual(indices([chunk(0, 'en', { languages, seconds: 2 })]), []);
  t.deepEqual(indices([chunk(0, 'es', { languages: { es: 0.7, it: 0.25 }, ...unclear })]), []);
});

test('an English chunk may hide another language where part of it sounds unlike English', (t) => {
  const sounds = (least: number, words = [spoken(0.9)]) => {
    return indices([chunk(0, 'en', { englishParts: { least, most: 8 }, words })]);
  };
  t.deepEqual([sounds(-0.9), sounds(-1.1)], [[], [0]]);
  const doubts = [0.1, 0.1, 0.1, 0.1].map((confidence) => spoken(confidence));
  t.deepEqual([sounds(0.9, doubts.slice(1)), sounds(0.9, doubts)], [[], [0]]);
});

test('a chunk in another language may hide English', (t) => {
  const hidden = (more: object) => {
    const found = findLanguageChanges([chunk(0, 'es', { english: -4, ...more })]);
    return found.flatMap((each) => each.chunks.map(({ candidates }) => candidates));
  };
  t.deepEqual(hidden({ englishParts: { least: -6, most: 0.9 } }), []);
  t.deepEqual(hidden({ englishParts: { least: -6, most: 1.1 } }), [['en', 'es']]);
  t.deepEqual(hidden({ words: [spoken(0.9, 1.5)] }), []);
  t.deepEqual(hidden({ words: [spoken(0.9, 1.7)] }), [['en', 'es']], 'speech was left out');
});

test('English elsewhere suggests none in a chunk that sounds nothing like it', (t) => {
  const beside = (most: number, more: object = {}) => {
    const spanish = chunk(1, 'es', { english: -4, englishParts: { least: -6, most }, ...more });
    const found = findLanguageChanges([chunk(0, 'en'), spanish]);
    return found.flatMap((each) => each.chunks.map(({ index }) => index));
  };
  t.deepEqual(beside(-0.9), [0, 1]);
  t.deepEqual(beside(-1.1), [0], 'the English one may hold Spanish');
  t.deepEqual(beside(-1.1, { languages: { en: 0.3, es: 0.7 } }), [0, 1], 'Whisper detects it');
});

test('a chunk is heard where that may spare cutting it', (t) => {
  const heard = (more: object) => chunksToHear([chunk(0, 'en'), chunk(1, 'es', more)]);
  t.deepEqual(heard({ english: null }), [1]);
  t.deepEqual(heard({ englishParts: { least: -6, most: 0 } }), [], 'it was');
  t.deepEqual(heard({ languages: { en: 0.3, es: 0.7 } }), [], 'Whisper detects English');
  t.deepEqual(chunksToHear([chunk(0, 'es'), chunk(1, 'es')]), []);
});

test('a chunk is heard in which English is less improbable than in the others', (t) => {
  const heard = (...probabilities: readonly number[]) =>
    chunksToHear(probabilities.map((en, i) => chunk(i, 'es', { languages: { en, es: 1 - en } })));
  t.deepEqual(heard(0.06, 0.07, 0.22, 0.05), [2], 'three times the median');
  t.deepEqual(heard(0.06, 0.07, 0.2, 0.05), []);
  t.deepEqual(heard(0.0003, 0.0004, 0.0015, 0.0003), [], 'too little of it');
  t.deepEqual(heard(0.0003, 0.0004, 0.003, 0.0003), [2]);
});

test('a chunk that reads well in its language holds no third one', (t) => {
  const beside = (words: readonly object[]) => {
    return indices([chunk(0, 'es'), chunk(1, 'it', { words }), chunk(2, 'it')]);
  };
  const [clear, doubtful] = [spoken(0.8), spoken(0.2)];
  t.deepEqual(beside([clear, doubtful, clear, clear]), [], 'a word alone is no sentence');
  t.deepEqual(beside([clear, doubtful, doubtful, clear]), [1]);
  t.deepEqual(beside([doubtful]), [1]);
  t.deepEqual(beside([clear, clear, spoken(0.8, 1.7)]), [1], 'speech was left out');
});

test('music between chunks is no language', (t) => {
  const music = chunk(1, 'en', { words: [] });
  t.deepEqual(indices([chunk(0, 'es'), { ...music, language: 'es' }, chunk(2, 'es')]), []);
});

test('the other channel is another conversation', (t) => {
  const call = [chunk(0, 'en', { channel: 0 }), chunk(1, 'es', { channel: 1 })];
  t.deepEqual(indices(call), []);
});
