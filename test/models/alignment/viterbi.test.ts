// The alignment against a plain version that tries every path.
import test from 'ava';
import fc from 'fast-check';
import {
  alignFirstStates,
  alignStates,
  type AlignmentState,
  type FrameScores,
} from '../../../models/alignment/viterbi.ts';

/** Best total over all segmentations, by recursion. */
function bestTotal(states: readonly AlignmentState[], scores: FrameScores): number {
  const at = (frame: number, state: number): number =>
    scores.data[frame * scores.phones + states[state]!.phone]!;
  const best = (frame: number, state: number): number => {
    if (state >= states.length) return -Infinity;
    const here = at(frame, state);
    if (frame === scores.frames - 1) {
      const ends = state === states.length - 1;
      return ends || (state === states.length - 2 && states.at(-1)!.skippable) ? here : -Infinity;
    }
    const next = [best(frame + 1, state), best(frame + 1, state + 1)];
    if (states[state + 1]?.skippable) next.push(best(frame + 1, state + 2));
    return here + Math.max(...next);
  };
  const starts = [best(0, 0)];
  if (states[0]!.skippable && states.length > 1) starts.push(best(0, 1));
  return Math.max(...starts);
}

const cases = fc.record({
  words: fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }), {
    minLength: 1,
    maxLength: 2,
  }),
  values: fc.array(fc.double({ min: -5, max: 0, noNaN: true }), { minLength: 28, maxLength: 28 }),
  frames: fc.integer({ min: 1, max: 7 }),
});

test('the path is the best one, covers every frame and keeps the order', (t) => {
  fc.assert(
    fc.property(cases, ({ words, values, frames }) => {
      const states: AlignmentState[] = [{ phone: 0, skippable: true }];
      for (const phones of words) {
        states.push(...phones.map((phone) => ({ phone, skippable: false })));
        states.push({ phone: 0, skippable: true });
      }
      const scores = { data: Float32Array.from(values), frames, phones: 4 };
      const spans = alignStates(states, scores);
      const needed = states.filter((state) => !state.skippable).length;
      t.is(spans === null, frames < needed);
      if (!spans) return;
      let total = 0;
      let reached = 0;
      spans.forEach(({ start, end }, i) => {
        t.is(start, reached);
        t.true(end > start || states[i]!.skippable);
        for (let f = start; f < end; f += 1) total += scores.data[f * 4 + states[i]!.phone]!;
        reached = end;
      });
      t.is(reached, frames);
      t.true(Math.abs(total - bestTotal(states, scores)) < 1e-4);
    }),
  );
});

/** Total of the states' frames. */
function totalOf(
  spans: readonly { readonly start: number; readonly end: number }[],
  states: readonly AlignmentState[],
  { data, phones }: FrameScores,
): number {
  return spans.reduce((sum, { start, end }, i) => {
    let own = 0;
    for (let f = start; f < end; f += 1) own += data[f * phones + states[i]!.phone]!;
    return sum + own;
  }, 0);
}

test('an open end takes the words that fit best of all that the text begins with', (t) => {
  fc.assert(
    fc.property(cases, ({ words, values, frames }) => {
      const scores = { data: Float32Array.from(values), frames, phones: 4 };
      const statesOf = (count: number): readonly AlignmentState[] => [
        { phone: 0, skippable: true },
        ...words
          .slice(0, count)
          .flatMap((phones) => [
            ...phones.map((phone) => ({ phone, skippable: false })),
            { phone: 0, skippable: true },
          ]),
      ];
      const all = statesOf(words.length);
      const found = alignFirstStates(all, scores);
      const best = Math.max(
        ...[0, ...words.keys(), words.length].map((count) => {
          const spans = alignStates(statesOf(count), scores);
          return spans ? totalOf(spans, all, scores) : -Infinity;
        }),
      );
      t.true(Math.abs(totalOf(found, all, scores) - best) < 1e-4);
      t.is(found.at(-1)!.end, frames);
    }),
  );
});
