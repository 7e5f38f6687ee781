// Tokens of a small vocabulary as words.
import test from 'ava';
import { parseMoonshineTokens } from '../../../models/asr/moonshine-tokens.ts';
import { spellWords } from '../../../models/asr/spelled-words.ts';

const pieces = [
  ...['<unk>', '<s>', '</s>', '\u2581hel', 'lo', '\u2581w', '.', '\xc3', '\xa9'],
  ...['\u2581-', '\u2581\u266a', '\u2581&', ',', '+'],
];

function vocabulary() {
  const bytes = pieces.map((piece, i) =>
    Buffer.from(piece, i === 7 || i === 8 ? 'latin1' : 'utf8'),
  );
  return parseMoonshineTokens(Buffer.concat(bytes.flatMap((b) => [Buffer.of(b.length), b])));
}

const token = (id: number, logProbability = 0) => ({ id, logProbability });

test('pieces become words; a character may span byte pieces', (t) => {
  const words = spellWords(
    [token(3), token(4), token(6), token(5), token(7), token(8)],
    vocabulary(),
  );
  t.deepEqual(
    words.map(({ word }) => word),
    ['hello.', 'w\u00e9'],
  );
});

test('a dash and a note between words are none, what is spoken is one', (t) => {
  const words = spellWords(
    [10, 9, 3, 4, 11, 5, 10].map((id) => token(id)),
    vocabulary(),
  );
  t.deepEqual(
    words.map(({ word }) => word),
    ['hello', '&', 'w'],
  );
});

test('a mark that is said again at the end of a word is written once', (t) => {
  const wordOf = (...ids: readonly number[]) =>
    spellWords(
      ids.map((id) => token(id)),
      vocabulary(),
    ).map(({ word }) => word);
  t.deepEqual(wordOf(3, 4, 12, 12, 12, 5, 12), ['hello,', 'w,']);
  t.deepEqual(wordOf(3, 4, 6, 6, 6), ['hello...'], 'an ellipsis');
  t.deepEqual(wordOf(5, 13, 13), ['w++'], 'what is spoken');
});

test('a word has the mean and the minimum log-probability of its pieces', (t) => {
  const [word] = spellWords([token(3, -2), token(4, 0)], vocabulary());
  t.is(word!.meanLogProbability, -1);
  t.is(word!.minLogProbability, -2);
});
