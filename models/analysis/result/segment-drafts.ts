// Segments before their texts and labels: turns or speech that were planned, or what follows from
// the words; pure.
import { wordEdgeSeconds } from '../../affect/no-speech.ts';
import { joinWords, splitSegments } from '../../asr/segments.ts';
import type { Word } from '../../asr/transcript.ts';
import type { TimeSpan } from '../../audio/samples.ts';
import { renumber } from '../../diarization/turns.ts';
import type { TaskSteps } from '../../contract/tasks.ts';
import type { AnalyzedChunk, ScoredPart } from '../analyzed-chunk.ts';
import { wordOwners } from '../speakers/word-owners.ts';
import { withoutOwnOverlap } from './own-turns.ts';
import type { RecordingPlan, PlannedSegment } from '../plan/plan.ts';

/** A part with its logits, which contains speech. */
export interface ClassifiedPart extends Omit<ScoredPart, 'readings'> {
  readonly logits: readonly number[];
}

export interface Draft {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
  readonly speaker: number | null;
  readonly parts: readonly ClassifiedPart[];
}

/** @param chunks in order */
export function draftSegments(
  chunks: readonly AnalyzedChunk[],
  parts: readonly ClassifiedPart[],
  { steps, plan }: { readonly steps: TaskSteps; readonly plan: RecordingPlan },
): readonly Draft[] {
  const drafts = plan.segments
    ? inOrder(plannedSegments(plan.segments, wordsByChannel(chunks), parts), plan)
    : wordSegments(joinWords(chunks.map((chunk) => chunk.words)), parts);
  return drafts.map((draft) => spokenPart(draft, steps));
}

/**
 * Segments follow from the words. Parts are divided among those that they overlap, so that what is
 * scored belongs to one segment each, and the scores of a recording are means of its segments'.
 */
function wordSegments(words: readonly Word[], parts: readonly ClassifiedPart[]): readonly Draft[] {
  const segments = splitSegments(words).map((own) => {
    return { start: own[0]!.start, end: own.at(-1)!.end, words: own };
  });
  const owned = segments.map((): ClassifiedPart[] => []);
  for (const part of parts) {
    const owners = ownersOf(part, segments);
    owners.forEach((owner, i) => {
      const start = i === 0 ? part.start : between(segments[owners[i - 1]!]!, segments[owner]!);
      const next = owners[i + 1];
      const end = next === undefined ? part.end : between(segments[owner]!, segments[next]!);
      if (end > start) owned[owner]!.push({ ...part, start, end });
    });
  }
  return segments.map((segment, i) => ({ ...segment, speaker: null, parts: owned[i]! }));
}

/** The segments that a part overlaps, in order; else the nearest, if it is at its edge. */
function ownersOf(part: TimeSpan, segments: readonly TimeSpan[]): readonly number[] {
  const apart = ({ start, end }: TimeSpan): number => Math.max(start - part.end, part.start - end);
  const distances = segments.map(apart);
  const overlapped = distances.flatMap((distance, i) => (distance < 0 ? [i] : []));
  if (overlapped.length > 0) return overlapped;
  const least = Math.min(...distances);
  return least < wordEdgeSeconds ? [distances.indexOf(least)] : [];
}

/** The middle of the pause between two segments. */
function between(one: TimeSpan, next: TimeSpan): number {
  return (one.end + next.start) / 2;
}

/** Joins the words of neighbouring chunks, but never those of different channels. */
function wordsByChannel(chunks: readonly AnalyzedChunk[]): ReadonlyMap<number | null, Word[]> {
  const grouped = Map.groupBy(chunks, ({ channel = null }) => channel);
  return new Map(
    [...grouped].map(([channel, own]) => [channel, [...joinWords(own.map(({ words }) => words))]]),
  );
}

/** Segments are turns or speech segments; each word goes to the one it overlaps most. */
function plannedSegments(
  segments: readonly PlannedSegment[],
  words: ReadonlyMap<number | null, readonly Word[]>,
  parts: readonly ClassifiedPart[],
): readonly Draft[] {
  const owned: Word[][] = segments.map(() => []);
  for (const [channel, spoken] of words) {
    const numbers = segments.flatMap(({ speaker }, i) =>
      channel === null || speaker === channel ? [i] : [],
    );
    const own = numbers.map((i) => segments[i]!);
    wordOwners(spoken, own).forEach((owner, i) => owned[numbers[owner] ?? -1]?.push(spoken[i]!));
  }
  const scored = Map.groupBy(parts, (part) => part.segment);
  const drafts = segments.map((segment, i) => ({
    start: Math.min(segment.start, owned[i]![0]?.start ?? Infinity),
    end: Math.max(segment.end, owned[i]!.at(-1)?.end ?? -Infinity),
    words: owned[i]!,
    speaker: segment.speaker,
    parts: scored.get(i) ?? [],
  }));
  return words.size > 0 ? withoutOwnOverlap(drafts) : drafts;
}

/**
 * A long first word may begin before the segment that its own overlaps less: whoever says it is
 * then the first of the speakers, unless these are channels.
 */
function inOrder(
  drafts: readonly Draft[],
  { speakers, channelSpeechSeconds }: RecordingPlan,
): readonly Draft[] {
  const sorted = drafts.toSorted((a, b) => a.start - b.start);
  return speakers === null || channelSpeechSeconds ? sorted : renumber(sorted);
}

/** A segment without a recognised word is not speech, so it is not scored. */
function spokenPart(draft: Draft, { words }: TaskSteps): Draft {
  return words && draft.words.length === 0 ? { ...draft, parts: [] } : draft;
}
