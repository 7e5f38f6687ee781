// Which terms take the place of words: the scores are given here.
import test from 'ava';
import { parseWhisperVocabulary } from '../../../../models/asr/whisper/tokens.ts';
import {
  commonWords,
  preferTerms,
  sumOfLogarithms,
  withPieceIndex,
} from '../../../../models/asr/terms/prefer-terms.ts';

/** A vocabulary of single letters; `Ġ` is a blank. */
const letters = Array.from('ĠabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.');
const vocabulary = withPieceIndex(
  parseWhisperVocabulary(new TextEncoder().encode(letters.join('\n'))),
  ' ',
);

function tokensOf(text: string) {
  return Array.from(` ${text}`, (letter) => {
    const id = letters.indexOf(letter === ' ' ? 'Ġ' : letter);
    return { id, logProbability: -0.1 };
  });
}

/** @param falls what each text loses; others lose too much */
async function prefer(
  text: string,
  terms: readonly string[],
  falls: Readonly<Record<string, number>>,
) {
  const scored: string[] = [];
  const chosen = await preferTerms({ tokens: tokensOf(text), terms }, vocabulary, async (texts) =>
    texts.map((ids) => {
      const written = vocabulary.text(ids);
      scored.push(written);
      return -10 - (written === text ? 0 : (falls[written] ?? 100));
    }),
  );
  return { text: chosen && vocabulary.text(chosen), scored };
}

test('a term is taken where the text becomes little less likely', async (t) => {
  const terms = ['Dora'];
  t.is((await prefer('see Torah now', terms, { 'see Dora now': 2.9 })).text, 'see Dora now');
  t.is((await prefer('see Torah now', terms, { 'see Dora now': -3 })).text, 'see Dora now');
  t.is((await prefer('see Torah now', terms, { 'see Dora now': 3 })).text, 'see Dora now');
  t.is((await prefer('see Torah now', terms, { 'see Dora now': 3.1 })).text, null);
  const tokens = [-1, -2].map((logProbability) => ({ id: 0, logProbability }));
  t.is(sumOfLogarithms(tokens), -3);
});

test('of terms for the same words the likelier is taken, and others elsewhere', async (t) => {
  const { text } = await prefer('Torah met Pieter.', ['Dora', 'Tora', 'Peter'], {
    'Dora met Pieter.': 1,
    'Tora met Pieter.': 3,
    'Torah met Peter.': 2,
  });
  t.is(text, 'Dora met Peter.');
});

test('a term takes the place of several words once, and terms may follow each other', async (t) => {
  const several = await prefer('ask Ann Lee now', ['Anneli'], { 'ask Anneli now': 0 });
  t.is(several.text, 'ask Anneli now');
  const { text } = await prefer('Torah Pieter', ['Dora', 'Peter'], {
    'Dora Pieter': 1,
    'Torah Peter': 2,
  });
  t.is(text, 'Dora Peter');
  const overlapping = await prefer('Torah met Pieter', ['Doramet', 'Metpeter'], {
    'Doramet Pieter': 1,
    'Torah Metpeter': 2,
  });
  t.is(overlapping.text, 'Doramet Pieter');
});

test('a common word is one piece', (t) => {
  const short = withPieceIndex(
    parseWhisperVocabulary(new TextEncoder().encode(['Ġ', 'a', 'b', 'Ġa'].join('\n'))),
    ' ',
  );
  t.deepEqual(['a', 'b', 'ab', 'x'].map(commonWords(short)), [true, false, false, false]);
});

test('without a word that sounds alike nothing is scored', async (t) => {
  t.deepEqual(await prefer('a window opened', ['Xanthippe'], {}), { text: null, scored: [] });
});

test('a term that the vocabulary cannot spell is left out', async (t) => {
  t.deepEqual(await prefer('see Lukash now', ['Łukasz'], {}), { text: null, scored: [] });
  t.deepEqual(await prefer('see Jan Lukash', ['Jan Łukasz'], {}), { text: null, scored: [] });
});
