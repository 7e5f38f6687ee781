// Decoding without a model: greedy search, detokenization, plausibility.
import test from 'ava';
import { decodeGreedily, type DecoderRows, type GreedyResult } from '../../../models/asr/greedy.ts';
import { isPlausible, longestRepeat } from '../../../models/asr/plausibility.ts';
import { parseVocabulary, spellWords } from '../../../models/asr/vocab.ts';

const pieces = ['<unk>', '<s>', '</s>', '\u2581hel', 'lo', '\u2581w', '.', '\xc3', '\xa9'];

function vocabulary() {
  const bytes = pieces.map((piece, i) => Buffer.from(piece, i >= 7 ? 'latin1' : 'utf8'));
  return parseVocabulary(Buffer.concat(bytes.flatMap((b) => [Buffer.of(b.length), b])));
}

const token = (id: number, logProbability = 0) => ({ id, logProbability });

/** Rows that follow a script each, and their requests. */
function scripted(scripts: readonly (readonly number[])[]) {
  let rows = scripts.map((_, row) => row);
  let position = 0;
  const read: (readonly number[])[] = [];
  const decoder: DecoderRows = {
    async step(tokens) {
      read.push(tokens);
      const next = rows.map((row) => token(scripts[row]![position] ?? 9, -row));
      position += 1;
      return next;
    },
    keep: (kept) => {
      rows = kept.map((row) => rows[row]!);
    },
  };
  return { decoder, read };
}

const ids = ({ tokens }: GreedyResult) => tokens.map(({ id }) => id);

test('each row gets its own tokens up to its end token or its limit', async (t) => {
  const { decoder, read } = scripted([[3, 4, 2], [2], [5, 6, 7, 8], [7, 2]]);
  const options = { startToken: 1, endToken: 2, maxTokens: [9, 9, 3, 9] };
  const results = await decodeGreedily(decoder, options);
  t.deepEqual(results.map(ids), [[3, 4], [], [5, 6, 7], [7]]);
  t.deepEqual(
    results.map(({ ended }) => ended),
    [true, true, false, true],
  );
  t.is(results[2]!.tokens[0]!.logProbability, -2);
  t.deepEqual(read[0], [1, 1, 1, 1]);
  // The second row has ended, and the fourth one continues.
  t.deepEqual(read[1], [3, 5, 7]);
  t.deepEqual(read[2], [4, 6]);
});

test('rows that may not write anything, and no rows at all, cost no step', async (t) => {
  const { decoder, read } = scripted([[3]]);
  const options = { startToken: 1, endToken: 2, maxTokens: [0] };
  t.deepEqual(await decodeGreedily(decoder, options), [{ tokens: [], ended: false }]);
  t.deepEqual(await decodeGreedily(decoder, { ...options, maxTokens: [] }), []);
  t.deepEqual(read, []);
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

test('a word has the mean and the minimum log-probability of its pieces', (t) => {
  const [word] = spellWords([token(3, -2), token(4, 0)], vocabulary());
  t.is(word!.meanLogProbability, -1);
  t.is(word!.minLogProbability, -2);
});

test('loops, babble and empty text are implausible; a normal sentence is plausible', (t) => {
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
