// Call metrics: how much, how fast and over whom each speaker talks; pure.
import { toDb } from '../audio/loudness.ts';
import { countUnsure, isUnsureLabel } from './low-confidence.ts';
import { spokenSegments, type ExportedResult, type ExportedSegment } from './exported-result.ts';

export interface SpeakerMetrics {
  readonly speaker: string;
  readonly talkSeconds: number;
  /** Share of all speakers' talk, 0-1. */
  readonly talkShare: number;
  readonly turns: number;
  /** Longest time from the start of a speaker's turns to their end, or to another's start. */
  readonly longestMonologueSeconds: number;
  /** Words a minute of talk; null without words, or without time. */
  readonly wordsPerMinute: number | null;
  /** Turns that started while another speaker was talking and kept talking. */
  readonly interruptions: number;
  /** Mean level of the turns; null when the recording was not measured. */
  readonly loudnessDbfs: number | null;
  /** First emotions of the speaker's turns, but for unsure ones, by their share of talk. */
  readonly emotions: readonly EmotionShare[];
}

export interface EmotionShare {
  readonly label: string;
  /** 0-1. */
  readonly share: number;
}

/** The first emotion of a turn. */
export interface EmotionSegment {
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly label: string;
  readonly score: number;
}

export interface CallMetrics {
  readonly durationSeconds: number;
  /** Time with at least one speaker. */
  readonly talkSeconds: number;
  /** Time without speech. */
  readonly silenceSeconds: number;
  /** Time with two speakers or more. */
  readonly overlapSeconds: number;
  readonly words: number;
  /** Words with a confidence below 0.5. */
  readonly lowConfidenceWords: number;
  readonly speakers: readonly SpeakerMetrics[];
  /** In order of time. */
  readonly emotionOverTime: readonly EmotionSegment[];
}

/** A shorter overlap is the end of one word over the start of another. */
const minInterruptionSeconds = 0.3;

/** Without diarization every segment belongs to `speaker_0`. */
export function callMetrics(result: ExportedResult): CallMetrics {
  const { duration, segments, loudnessDb } = result;
  const turns = spokenSegments(result)
    .map((segment) => ({ ...segment, speaker: segment.speaker ?? 'speaker_0' }))
    .toSorted((a, b) => a.start - b.start);
  const bySpeaker = Map.groupBy(turns, ({ speaker }) => speaker);
  const talks = new Map([...bySpeaker].map(([speaker, own]) => [speaker, joinOverlaps(own)]));
  const allTalk = [...talks.values()].flat();
  const { talked, overlapped } = coverage(allTalk);
  const monologues = longestMonologues(turns);
  const interrupting = interruptions(turns);
  const total = secondsOf(allTalk);
  const { words, unsure } = countUnsure({ segments });
  return {
    durationSeconds: rounded(duration),
    talkSeconds: rounded(talked),
    silenceSeconds: rounded(Math.max(0, duration - talked)),
    overlapSeconds: rounded(overlapped),
    words,
    lowConfidenceWords: unsure,
    speakers: [...bySpeaker].map(([speaker, own]) => ({
      ...talkMetrics(own, secondsOf(talks.get(speaker)!), total),
      speaker,
      longestMonologueSeconds: rounded(monologues.get(speaker)!),
      interruptions: interrupting.get(speaker) ?? 0,
      loudnessDbfs: loudnessOf(own, levelsOf(speaker, loudnessDb)),
    })),
    emotionOverTime: turns.flatMap(({ start, end, speaker, emotions: [first] }) =>
      first ? [{ start, end, speaker, label: first.label, score: first.score }] : [],
    ),
  };
}

type Turn = ExportedSegment & { readonly speaker: string };

type Span = Pick<Turn, 'start' | 'end'>;

function secondsOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/**
 * When one speaker talks: turns of two voices that have one name may overlap.
 * @param own turns of the speaker, in order
 */
function joinOverlaps(own: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of own) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** @param own turns of one speaker, with the seconds of talk. @param total of all speakers */
function talkMetrics(own: readonly Turn[], talkSeconds: number, total: number) {
  const words = own.reduce((sum, turn) => sum + turn.words.length, 0);
  return {
    talkSeconds: rounded(talkSeconds),
    talkShare: total === 0 ? 0 : rounded(talkSeconds / total),
    turns: own.length,
    wordsPerMinute: words === 0 || talkSeconds === 0 ? null : rounded((60 * words) / talkSeconds),
    emotions: emotionShares(own),
  };
}

function emotionShares(own: readonly Turn[]): readonly EmotionShare[] {
  // Turns that overlap have an emotion each.
  const total = secondsOf(own);
  const withEmotion = own.filter(({ emotions: [first] }) => first && !isUnsureLabel(first));
  const byLabel = Map.groupBy(withEmotion, ({ emotions }) => emotions[0]!.label);
  return [...byLabel]
    .map(([label, turns]) => {
      return { label, share: total === 0 ? 0 : rounded(secondsOf(turns) / total) };
    })
    .toSorted((a, b) => b.share - a.share);
}

/** Levels by second, of the speaker's own channel when each channel is a speaker. */
function levelsOf(
  speaker: string,
  loudnessDb: ExportedResult['loudnessDb'],
): readonly number[] | undefined {
  const channel = Number(/^speaker_(\d+)$/.exec(speaker)?.[1] ?? 0);
  return loudnessDb && (loudnessDb.length > 1 ? loudnessDb[channel] : loudnessDb[0]);
}

/** Mean power of the seconds in which a speaker talks. */
function loudnessOf(own: readonly Turn[], levels: readonly number[] | undefined): number | null {
  if (!levels) return null;
  const seconds = new Set<number>();
  for (const turn of own) {
    for (let at = Math.floor(turn.start); at < Math.min(turn.end, levels.length); at += 1) {
      seconds.add(at);
    }
  }
  if (seconds.size === 0) return null;
  const power = [...seconds].reduce((sum, at) => sum + 10 ** (levels[at]! / 10), 0);
  return Math.round(10 * toDb(power / seconds.size)) / 10;
}

/** Seconds by speaker, in one pass over the turns in their order. */
function longestMonologues(turns: readonly Turn[]): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  let [since, until] = [0, 0];
  turns.forEach(({ speaker, start, end }, i) => {
    if (turns[i - 1]?.speaker !== speaker) [since, until] = [start, end];
    until = Math.max(until, end);
    const next = turns[i + 1];
    if (next?.speaker === speaker) return;
    const seconds = Math.min(until, next?.start ?? Infinity) - since;
    longest.set(speaker, Math.max(longest.get(speaker) ?? 0, seconds));
  });
  return longest;
}

/**
 * Interruptions by speaker in one pass: of the earlier turns only the one that ends last matters,
 * or, when it is the speaker's own, the last one of the others.
 */
function interruptions(turns: readonly Turn[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let started = 0;
  let last: Ending = { speaker: '', end: -Infinity };
  let lastOfOthers = -Infinity;
  for (const { speaker, start, end } of turns) {
    for (let earlier = turns[started]!; earlier.start < start; earlier = turns[(started += 1)]!) {
      if (earlier.speaker === last.speaker) last = later(last, earlier);
      else if (earlier.end > last.end) [last, lastOfOthers] = [earlier, last.end];
      else lastOfOthers = Math.max(lastOfOthers, earlier.end);
    }
    const other = last.speaker === speaker ? lastOfOthers : last.end;
    if (rounded(Math.min(other, end) - start) < minInterruptionSeconds) continue;
    counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  }
  return counts;
}

type Ending = Pick<Turn, 'speaker' | 'end'>;

function later(a: Ending, b: Ending): Ending {
  return a.end >= b.end ? a : b;
}

/** Seconds with at least one and with at least two speakers, none of whom overlaps itself. */
function coverage(talks: readonly Span[]): { talked: number; overlapped: number } {
  const edges = talks
    .flatMap(({ start, end }) => [
      { at: start, step: 1 },
      { at: end, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.step - b.step);
  let talked = 0;
  let overlapped = 0;
  let speaking = 0;
  edges.forEach(({ at, step }, i) => {
    speaking += step;
    const next = edges[i + 1]?.at ?? at;
    if (speaking >= 1) talked += next - at;
    if (speaking >= 2) overlapped += next - at;
  });
  return { talked, overlapped };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
