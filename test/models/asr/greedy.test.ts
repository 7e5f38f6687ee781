// Greedy search over scripted rows.
import test from 'ava';
import { decodeGreedily, type DecoderRows, type GreedyResult } from '../../../models/asr/greedy.ts';

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

test('a row that is not worth its end is given up; the others go on', async (t) => {
  const { decoder, read } = scripted([
    [3, 3, 3, 3, 3, 2],
    [5, 6, 7, 2],
  ]);
  const results = await decodeGreedily(decoder, {
    ...{ startToken: 1, endToken: 2, maxTokens: [9, 9] },
    isHopeless: (tokens) => tokens.filter(({ id }) => id === 3).length === 2,
  });
  t.deepEqual(results.map(ids), [
    [3, 3],
    [5, 6, 7],
  ]);
  t.deepEqual(
    results.map(({ ended }) => ended),
    [false, true],
  );
  t.is(read.length, 4);
});

test('rows with a limit of zero tokens, and no rows at all, run no step', async (t) => {
  const { decoder, read } = scripted([[3]]);
  const options = { startToken: 1, endToken: 2, maxTokens: [0] };
  t.deepEqual(await decodeGreedily(decoder, options), [{ tokens: [], ended: false }]);
  t.deepEqual(await decodeGreedily(decoder, { ...options, maxTokens: [] }), []);
  t.deepEqual(read, []);
});
