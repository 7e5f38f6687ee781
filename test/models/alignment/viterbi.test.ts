// The alignment against a plain version that tries every path.
import test from 'ava';
import fc from 'fast-check';
import {
  alignStates,
  type FrameScores,
  type StateSpan,
} from '../../../models/alignment/viterbi.ts';
import { graphOf, statesOfWords, type WordGraph } from '../../../models/alignment/word-graph.ts';

type Phones = readonly number[];

/** Best total of phones with optional silence around each word, by recursion. */
function bestTotal(words: readonly Phones[], scores: FrameScores): number {
  const states = [0, ...words.flatMap((phones) => [...phones, 0])];
  const best = (frame: number, state: number): number => {
    if (state >= states.length) return -Infinity;
    const here = scores.data[frame * scores.phones + states[state]!]!;
    if (frame === scores.frames - 1) return state >= states.length - 2 ? here : -Infinity;
    const next = [best(frame + 1, state), best(frame + 1, state + 1)];
    if (states[state + 1] === 0) next.push(best(frame + 1, state + 2));
    return here + Math.max(...next);
  };
  return Math.max(best(0, 0), states.length > 1 ? best(0, 1) : -Infinity);
}

/** Every choice of one pronunciation per word. */
function choices(words: readonly (readonly Phones[])[]): readonly (readonly Phones[])[] {
  const [first, ...others] = words;
  if (!first) return [[]];
  return first.flatMap((phones) => choices(others).map((rest) => [phones, ...rest]));
}

function graphOfWords(words: readonly (readonly Phones[])[]): WordGraph {
  return graphOf(words.map((pronunciations) => [[[pronunciations]]]));
}

function totalOf(
  path: readonly StateSpan[],
  { states }: WordGraph,
  { data, phones }: FrameScores,
): number {
  let sum = 0;
  for (const { state, start, end } of path) {
    for (let f = start; f < end; f += 1) sum += data[f * phones + states[state]!.phone]!;
  }
  return sum;
}

const phones = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 });
const cases = fc.record({
  words: fc.array(fc.array(phones, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
  values: fc.array(fc.double({ min: -5, max: 0, noNaN: true }), { minLength: 28, maxLength: 28 }),
  frames: fc.integer({ min: 1, max: 7 }),
});

test('the path is the best one of all pronunciations and covers every frame in order', (t) => {
  fc.assert(
    fc.property(cases, ({ words, values, frames }) => {
      const scores = { data: Float32Array.from(values), frames, phones: 4 };
      const graph = graphOfWords(words);
      const path = alignStates(graph.states, graph.ends, scores);
      const best = Math.max(...choices(words).map((chosen) => bestTotal(chosen, scores)));
      t.is(path === null, best === -Infinity);
      if (!path) return;
      let reached = 0;
      for (const { start, end } of path) {
        t.is(start, reached);
        t.true(end > start);
        reached = end;
      }
      t.is(reached, frames);
      t.true(Math.abs(totalOf(path, graph, scores) - best) < 1e-4);
      const said = statesOfWords(path, graph, words.length).map((own) =>
        own.map(({ state }) => graph.states[state]!.phone),
      );
      said.forEach((own, i) => t.true(words[i]!.some((each) => each.join() === own.join())));
    }),
  );
});

test('an open end takes the words that fit best of all that the text begins with', (t) => {
  fc.assert(
    fc.property(cases, ({ words, values, frames }) => {
      const scores = { data: Float32Array.from(values), frames, phones: 4 };
      const graph = graphOfWords(words);
      const found = alignStates(graph.states, graph.anyEnds, scores)!;
      const best = Math.max(
        ...[0, ...words.keys(), words.length].flatMap((count) =>
          choices(words.slice(0, count)).map((chosen) => bestTotal(chosen, scores)),
        ),
      );
      t.true(Math.abs(totalOf(found, graph, scores) - best) < 1e-4);
      t.is(found.at(-1)!.end, frames);
    }),
  );
});

test('readings, parts that may be left out and words that are not spoken', (t) => {
  // One word of two parts, the second of which is optional; a dash; a word of two readings.
  const words = [[[[[[1]]]], [[], [[[2]]]]], [[]], [[[[[3]]], [[[1]], [[2]]]]]] as never[];
  const graph = graphOf(words);
  const phonesOn = (frames: readonly number[]) => {
    const data = Float32Array.from(
      frames.flatMap((p) => [0, 1, 2, 3].map((q) => -(p === q ? 0 : 9))),
    );
    const path = alignStates(graph.states, graph.ends, { data, frames: frames.length, phones: 4 })!;
    return statesOfWords(path, graph, 3).map((own) =>
      own.map(({ state }) => graph.states[state]!.phone),
    );
  };
  t.deepEqual(phonesOn([1, 2, 3]), [[1, 2], [], [3]]);
  t.deepEqual(phonesOn([1, 1, 0, 1, 2]), [[1], [], [1, 2]]);
});

test('a word of 100,000 phones is refused', (t) => {
  const graph = graphOfWords([[Array.from({ length: 100_000 }, () => 1)]]);
  const scores = { data: new Float32Array(4 * 1_000), frames: 1_000, phones: 4 };
  t.is(alignStates(graph.states, graph.ends, scores), null);
  t.deepEqual(alignStates(graph.states, graph.anyEnds, scores), [
    { state: 0, start: 0, end: 1_000 },
  ]);
});
