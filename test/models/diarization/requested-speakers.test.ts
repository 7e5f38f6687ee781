// Every speaker of a requested count gets a part.
import test from 'ava';
import fc from 'fast-check';
import { ensureEverySpeaker } from '../../../models/diarization/requested-speakers.ts';

/** Two frames: as much as is a turn anywhere. */
const part = 2;

/** Longest run of each speaker within one segment. */
function longestRuns(path: Int32Array, segments: readonly number[], speakers: number): number[] {
  const longest = Array<number>(speakers).fill(0);
  let length = 0;
  path.forEach((speaker, at) => {
    const goesOn = at > 0 && path[at - 1] === speaker && segments[at - 1] === segments[at];
    length = goesOn ? length + 1 : 1;
    longest[speaker] = Math.max(longest[speaker]!, length);
  });
  return longest;
}

/** A path in runs, each with its length and speaker; a new segment where it says so. */
const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(31), fc.boolean()), {
  minLength: 1,
  maxLength: 12,
});

test('every speaker gets a part, as far as parts can be divided', (t) => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 32 }), fc.nat(), (given, speakers, seed) => {
      let segment = 0;
      const all = given.flatMap(([length, speaker, opens]) => {
        if (opens) segment += 1;
        return Array.from({ length }, () => ({ segment, speaker: speaker % speakers }));
      });
      const frames = all.map(({ segment: own }, at) => ({
        sample: at * 1_600,
        segment: own,
        similarities: Float32Array.from({ length: speakers }, (_, s) =>
          Math.sin(seed + s * 7 + at),
        ),
      }));
      const path = Int32Array.from(all, ({ speaker }) => speaker);
      const segments = all.map(({ segment: own }) => own);
      const longest = longestRuns(ensureEverySpeaker(path, frames, speakers), segments, speakers);
      return longest.every((own) => own >= part) || Math.max(...longest) < 2 * part;
    }),
    { numRuns: 500 },
  );
  t.pass();
});

test('a speaker without a part gets the frames that fit it best', (t) => {
  const frames = Array.from({ length: 40 }, (_, at) => ({
    ...{ segment: 0, sample: at * 1_600 },
    similarities: Float32Array.of(0.5, at === 30 ? 0.9 : 0.1),
  }));
  const path = ensureEverySpeaker(new Int32Array(40), frames, 2);
  const own = [...path.keys()].filter((at) => path[at] === 1);
  t.deepEqual(own, [26, 27, 28, 29, 30, 31, 32, 33]);
});
