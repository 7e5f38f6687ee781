// The turn of each word by its definition, which looks at every turn for every word.
import test from 'ava';
import fc from 'fast-check';
import { wordOwners } from '../../../../models/analysis/speakers/word-owners.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Times that often coincide, or differ by little more or less than a hop. */
const seconds = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.constantFrom(0, 0, 0.02, 0.029, 0.03, 0.031))
    .map(([tenths, more]) => tenths / 10 + more);
const span = (longest: number): fc.Arbitrary<Span> =>
  fc
    .tuple(seconds(200), seconds(longest))
    .map(([start, length]) => ({ start, end: start + length }));
const words = fc.array(
  fc.tuple(span(8), fc.constantFrom('yes', 'no', 'well.', 'what?"')).map(([times, word]) => {
    return { ...times, word, confidence: null };
  }),
  { maxLength: 40 },
);
const turns = fc
  .array(fc.oneof(span(20), span(20), span(150)), { maxLength: 25 })
  .map((all) => all.toSorted((a, b) => a.start - b.start));

function simpleOwners(
  all: readonly (Span & { readonly word: string })[],
  segments: readonly Span[],
) {
  let owner = -1;
  return all.map(({ start, end }, i) => {
    const overlaps = segments.map((s) => Math.min(end, s.end) - Math.max(start, s.start));
    const longest = Math.max(...overlaps);
    const best =
      longest <= 0
        ? [overlaps.indexOf(longest)]
        : overlaps.flatMap((overlap, k) => (overlap > longest - 0.03 ? [k] : []));
    const begins = i === 0 || /[.?!]["')\]]*$/.test(all[i - 1]!.word);
    if (begins || !best.includes(owner)) owner = begins ? best.at(-1)! : best[0]!;
    return owner;
  });
}

test('property: the turns near a word decide as all turns do', (t) => {
  fc.assert(
    fc.property(words, turns, (all, segments) => {
      t.deepEqual(wordOwners(all, segments), simpleOwners(all, segments));
    }),
    { numRuns: 3_000 },
  );
});

test('a word reads few of many turns', (t) => {
  let reads = 0;
  const turn = (i: number) => ({
    speaker: i % 2,
    end: 2.4 * i + 2.5,
    get start() {
      reads += 1;
      return 2.4 * i;
    },
  });
  const segments = Array.from({ length: 1_500 }, (_, i) => turn(i));
  const all = Array.from({ length: 10_000 }, (_, i) => {
    return { word: 'so', start: 0.36 * i, end: 0.36 * i + 0.3, confidence: null };
  });
  t.is(new Set(wordOwners(all, segments)).size, 1_500);
  t.true(reads < 30 * all.length, `${reads} starts were read`);
});
