// Words as the pieces of a vocabulary, whose ids are the order in which they are merged.
import test from 'ava';
import { encodeWord, indexPieces } from '../../../../models/asr/terms/byte-pairs.ts';

const pieces = [
  ...['\u0041', 'l', 'o', 'w', 'e', 'r', ' ', 'é'],
  ...['lo', ' lo', 'low', ' low', 'er', 'ow', 'we', 'A'],
];
const bytes = pieces.map((piece) => new Uint8Array(Buffer.from(piece)));
const vocabulary = {
  size: bytes.length,
  piece: (token: number): Uint8Array => bytes[token] ?? new Uint8Array(0),
};
const index = indexPieces(vocabulary);

function encode(word: string): readonly string[] | null {
  return encodeWord(index, word)?.map((id) => pieces[id]!) ?? null;
}

test('pairs are merged in the order of their ids, not by length', (t) => {
  t.deepEqual(encode(' lower'), [' low', 'er']);
  t.deepEqual(encode('lowe'), ['low', 'e']);
  // `we` comes last, so `ow` and `er` have taken its letters.
  t.deepEqual(encode('ower'), ['ow', 'er']);
  t.deepEqual(encode('éé'), ['é', 'é']);
});

test('a piece that is there twice is the later one: the first stands for a byte', (t) => {
  t.deepEqual(encodeWord(index, 'A'), [pieces.length - 1]);
});

test('a character that is no piece is spelled by its bytes', (t) => {
  const spelled = (...all: readonly (readonly number[])[]) =>
    encodeWord(indexPieces({ size: all.length, piece: (i) => new Uint8Array(all[i]!) }), '€');
  t.deepEqual(spelled([0xe2], [0x82], [0xac]), [0, 1, 2]);
  t.deepEqual(spelled([0xe2], [0x82], [0xac], [0xe2, 0x82, 0xac]), [3]);
});

test('what the vocabulary cannot spell is null', (t) => {
  t.is(encode('lox'), null);
});
