// Words of a dictionary in CMU's format are found by their bytes, however many there are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadLexicon } from '../../../models/alignment/lexicon.ts';
import type { LexiconManifest } from '../../../models/bundles/manifest.ts';
import { withDirectory } from '../../support/speech.ts';

const phones = ['AH', 'K', 'T'];

function lexiconOf(text: string, names: readonly string[] = phones) {
  return withDirectory(async (directory) => {
    writeFileSync(join(directory, 'dictionary'), text);
    return loadLexicon(directory, { dictionary: 'dictionary' } as LexiconManifest, names);
  });
}

test('a word has the phones of its line, without stress and comment', async (t) => {
  const lexicon = await lexiconOf("cut K AH1 T # a comment\ncut(2) K AH0\n'tuck T AH1 K");
  t.deepEqual(lexicon.lookUp("'tuck"), [[2, 0, 1]]);
  for (const absent of ['cu', 'cuts', '', 'K', 'tuck']) {
    t.deepEqual(lexicon.lookUp(absent), [], absent);
  }
});

test('a word has every pronunciation of the dictionary once, and the British ones', async (t) => {
  const lines = ['cut K AH1 T', 'cut(2) K AH0 T', 'cut(3) T', 'cut(5) K', 'last K AE1 T AE1 T'];
  const lexicon = await lexiconOf([...lines, 'data K'].join('\n'), [...phones, 'AE', 'AA', 'D']);
  t.deepEqual(lexicon.lookUp('cut'), [[1, 0, 2], [2]]);
  t.deepEqual(lexicon.lookUp('last'), [
    [1, 3, 2, 3, 2],
    [1, 3, 2, 4, 2],
  ]);
  t.deepEqual(lexicon.lookUp('data'), [[1], [5, 4, 2, 0]]);
});

test('of two lines of one word the last one counts; a line without phones is none', async (t) => {
  const lexicon = await lexiconOf('cut T\n\nalone\ncut K\n');
  t.deepEqual(lexicon.lookUp('cut'), [[1]]);
  t.deepEqual(lexicon.lookUp('alone'), []);
});

test('many words do not hide each other', async (t) => {
  const words = Array.from({ length: 20_000 }, (_, i) => i.toString(26));
  const lexicon = await lexiconOf(words.map((word, i) => `${word} ${phones[i % 3]}`).join('\n'));
  t.true(words.every((word, i) => lexicon.lookUp(word)[0]?.[0] === i % 3));
  t.true(words.every((word) => lexicon.lookUp(`${word}-`).length === 0));
});
