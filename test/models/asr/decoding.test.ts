// Decoding without a model: greedy search, spelling, plausibility.
import test from 'ava';
import { decodeGreedily } from '../../../models/asr/greedy.ts';
import { isPlausible, longestRepeat } from '../../../models/asr/plausibility.ts';
import { parseVocabulary, spellWords } from '../../../models/asr/vocab.ts';

const pieces = ['<unk>', '<s>', '</s>', '\u2581hel', 'lo', '\u2581w', '.', '\xc3', '\xa9'];

function vocabulary() {
  const bytes = pieces.map((piece, i) => Buffer.from(piece, i >= 7 ? 'latin1' : 'utf8'));
  return parseVocabulary(Buffer.concat(bytes.flatMap((b) => [Buffer.of(b.length), b])));
}

const token = (id: number, logProbability = 0) => ({ id, logProbability });

test('greedy decoding takes the likeliest token until the end token', async (t) => {
  const script = [3, 4, 2];
  const step = (_: number, position: number) => {
    const logits = new Float32Array(pieces.length);
    logits[script[position]!] = 20;
    return Promise.resolve(logits);
  };
  const { tokens, ended } = await decodeGreedily(step, {
    startToken: 1,
    endToken: 2,
    maxTokens: 9,
  });
  t.true(ended);
  t.deepEqual(
    tokens.map(({ id }) => id),
    [3, 4],
  );
  t.true(tokens.every(({ logProbability }) => logProbability > -1e-6));
  const cut = await decodeGreedily(step, { startToken: 1, endToken: 2, maxTokens: 1 });
  t.false(cut.ended);
});

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

test('a word has the mean and the least log-probability of its pieces', (t) => {
  const [word] = spellWords([token(3, -2), token(4, 0)], vocabulary());
  t.is(word!.meanLogProbability, -1);
  t.is(word!.minLogProbability, -2);
});

test('loops, babble and nothing are not plausible; a normal sentence is', (t) => {
  const chunk = (ids: readonly number[], logProbability: number, ended = true) =>
    isPlausible({ tokens: ids.map((id) => token(id, logProbability)), ended, durationSeconds: 5 });
  t.true(chunk([5, 6, 7, 8, 9, 10], -0.3));
  t.false(chunk([], 0));
  t.false(chunk([5, 6, 7, 8, 9], -2));
  t.false(chunk([5], -1));
  t.false(chunk([5, 6, 5, 6, 5, 6, 5, 6, 5, 6], -0.1));
});

test('repeats are counted for periods of one to eight tokens', (t) => {
  t.is(longestRepeat([1, 2, 3]), 1);
  t.is(longestRepeat([1, 1, 1]), 3);
  t.is(longestRepeat([9, 1, 2, 1, 2, 1, 2]), 3);
});
