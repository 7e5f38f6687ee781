// The planned segment that each word belongs to: the one it overlaps most; pure.
import type { Word } from '../../asr/transcript.ts';
import { partition } from '../../contract/partition.ts';
import type { PlannedSegment } from '../plan/plan.ts';

const sentenceEnd = /[.?!]["')\]]*$/;
/** Overlaps that differ by less are equal, because word times are accurate to a hop. */
const sameOverlapSeconds = 0.03;

type Span = Pick<PlannedSegment, 'start' | 'end'>;

/**
 * @param segments in order of their start; they may overlap
 * @returns for each word the index of its segment
 */
export function wordOwners(words: readonly Word[], segments: readonly Span[]): readonly number[] {
  const ends = latestEnds(segments);
  let owner = -1;
  return words.map((word, i) => {
    const begins = i === 0 || sentenceEnd.test(words[i - 1]!.word);
    const candidates = bestSegments(word, segments, near(word, segments, ends));
    // While two speakers talk at once, sentences alternate between them.
    if (begins || !candidates.includes(owner)) owner = begins ? candidates.at(-1)! : candidates[0]!;
    return owner;
  });
}

/** The indices of segments from `first` to before `end`. */
interface IndexRange {
  readonly first: number;
  readonly end: number;
}

/** The segments with the longest overlap in order of their start, or else the nearest one. */
function bestSegments(
  word: Span,
  segments: readonly Span[],
  { first, end }: IndexRange,
): readonly number[] {
  const overlaps: number[] = [];
  for (let i = first; i < end; i += 1) overlaps.push(overlapOf(word, segments[i]!));
  const longest = overlaps.reduce((a, b) => Math.max(a, b), -Infinity);
  if (longest <= 0) return [first + overlaps.indexOf(longest)];
  return overlaps.flatMap((overlap, i) =>
    overlap > longest - sameOverlapSeconds ? [first + i] : [],
  );
}

/** A negative overlap is the distance between two that do not touch. */
function overlapOf(word: Span, segment: Span): number {
  return Math.min(word.end, segment.end) - Math.max(word.start, segment.start);
}

/**
 * The segments that a word may overlap, those of the latest end before it, and the first after it.
 * @param ends latest end up to each segment
 */
function near(word: Span, segments: readonly Span[], ends: readonly number[]): IndexRange {
  const margin = 2 * sameOverlapSeconds;
  const touching = partition(segments.length, (i) => ends[i]! > word.start - margin);
  const before = (ends[touching - 1] ?? -Infinity) - margin;
  const after = partition(segments.length, (i) => segments[i]!.start >= word.end + margin);
  return {
    first: partition(touching, (i) => ends[i]! > before),
    end: Math.min(segments.length, after + 1),
  };
}

function latestEnds(segments: readonly Span[]): readonly number[] {
  let latest = -Infinity;
  return segments.map(({ end }) => (latest = Math.max(latest, end)));
}
