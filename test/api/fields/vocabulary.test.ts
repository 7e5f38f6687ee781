// The terms of a request: as listed, or as the prompt of OpenAI's clients names them.
import test from 'ava';
import {
  expectedTerms,
  requireVocabulary,
  termList,
  vocabularyField,
  vocabularyOf,
} from '../../../api/fields/vocabulary.ts';
import { joinVocabularies } from '../../../models/contract/vocabulary.ts';

test('terms are separated by commas and line breaks, each once, without blanks around', (t) => {
  t.deepEqual(vocabularyField.parse(' Siobhan,Ann  Lee\nSiobhan;;K2 '), [
    ...['Siobhan', 'Ann Lee', 'K2'],
  ]);
});

const rejected = [
  [Array.from({ length: 101 }, (_, i) => `term${i}`).join(','), /at most 100 terms, got 101\.$/],
  ['x'.repeat(65), /at most 64 characters, got "x{32}" of 65\.$/],
  ['Ann, B', /at least 2 characters with a letter or digit, got "B"\.$/],
  ['--', /with a letter or digit, got "--"\.$/],
] as const;

test('too many, too long and too short terms are rejected with what was received', (t) => {
  for (const [given, message] of rejected) {
    const { error } = vocabularyField.safeParse(given);
    t.regex(error!.issues[0]!.message, message);
    t.true(error!.issues[0]!.message.startsWith('`vocabulary` takes'));
  }
});

test('terms that PostgreSQL could not store are rejected', (t) => {
  for (const term of ['B\0b', 'Bob\ud83d', '\udc00Bob']) {
    const rule = 'must not contain control characters or unpaired surrogates';
    const { error } = vocabularyField.safeParse(`Ann, ${term}`);
    t.is(error!.issues[0]!.message, `\`vocabulary\` ${rule}.`);
  }
});

test('of a prompt the listed terms count, and the names inside of sentences', (t) => {
  t.deepEqual(expectedTerms({ prompt: 'ZyntriQix, Digique Plus, CynapseFive' }), [
    ...['ZyntriQix', 'Digique Plus', 'CynapseFive'],
  ]);
  t.deepEqual(
    expectedTerms({
      prompt: 'This is a long call between Siobhan Kelly and the team of Xanthippe today.',
    }),
    ['Siobhan Kelly', 'Xanthippe'],
  );
  const brand = 'please send the new iPhone to me today';
  t.deepEqual(expectedTerms({ prompt: brand }), [], 'a name begins with its capital');
  t.deepEqual(expectedTerms({ prompt: 'hello there how are you doing' }), []);
  t.deepEqual(expectedTerms({ prompt: 'Si\0bhan, Kelly, Xan\ud83dthippe' }), ['Kelly']);
  const prompt = Array.from({ length: 130 }, (_, i) => `name${i}`).join(',');
  t.is(expectedTerms({ prompt }).length, 100);
  const both = expectedTerms({ keywords: ['Siobhan', ' Ann  Lee'], prompt });
  t.deepEqual([both[0], both[1], both[2], both.length], ['Siobhan', 'Ann Lee', 'name30', 100]);
});

test('a list in JSON follows the same rules', (t) => {
  const vocabularyList = termList('vocabulary');
  const { vocabulary } = vocabularyOf(vocabularyList.parse([' Ann  Lee ', 'Siobhan', 'Ann Lee']));
  t.deepEqual(vocabulary, ['Ann Lee', 'Siobhan']);
  t.deepEqual(vocabularyOf(vocabularyList.parse([' '])), {});
  t.false(vocabularyList.safeParse(['B']).success);
  t.false(vocabularyList.safeParse(Array.from({ length: 101 }, (_, i) => `term${i}`)).success);
});

test('terms of a request are added to those of its organization', (t) => {
  t.deepEqual(joinVocabularies(['Siobhan'], ['Ann', 'Siobhan']), ['Siobhan', 'Ann']);
  t.deepEqual(joinVocabularies(undefined, undefined), []);
  const many = Array.from({ length: 100 }, (_, i) => `term${i}`);
  t.deepEqual(joinVocabularies(['Siobhan'], many).slice(0, 2), ['Siobhan', 'term0']);
  t.is(joinVocabularies(['Siobhan'], many).length, 100);
});

test('it is refused where a transducer recognises', (t) => {
  const manifests = [{ family: 'nemo-tdt', name: 'parakeet' }] as never;
  const assignments = new Map([['svc-resonance', { otherLanguages: 'parakeet' }]] as const);
  const options = { diarize: false, numSpeakers: null, includeLogits: false };
  const asking = { ...options, vocabulary: ['Siobhan'] };
  const check = (model: 'svc-resonance' | 'svc-fourier', asked: typeof options) => () =>
    requireVocabulary(
      { model, options: asked },
      { english: '', assignments, manifests },
      'vocabulary',
    );
  t.throws(check('svc-resonance', asking), { code: 'vocabulary_unsupported' });
  t.notThrows(check('svc-fourier', asking));
  t.notThrows(check('svc-resonance', options));
});
