// Turns from frames: runs of one speaker, second speakers in overlaps, short gaps closed; pure.
import type { SampleSpan } from '../audio/samples.ts';
import { indexOfMax, type PathFrame } from './speaker-path.ts';
import { countHopSamples, countHopSeconds } from './hops.ts';

/** Seconds from the start of the recording; speakers in order of first appearance. */
export interface SpeakerTurn {
  readonly start: number;
  readonly end: number;
  readonly speaker: number;
}

/** From this probability of several voices on there is a second speaker. */
const overlapThreshold = 0.5;
/**
 * The second speaker is likely to be active nearby: similarity falls by this per second of
 * distance.
 */
const distancePenalty = 0.15;
const maxDistanceHops = 125;
/** A turn continues after a pause up to this length when no other speaker is active in it ... */
const bridgedHops = Math.round(0.4 / countHopSeconds);
/** ... and after any interruption as short as this. */
const alwaysBridgedHops = 6;
const minTurnHops = 4;
/** Shorter overlaps are more often errors of the counter than a second voice. */
const minOverlapHops = 16;

export interface TurnsInput {
  readonly speech: readonly SampleSpan[];
  readonly frames: readonly PathFrame[];
  /** Speaker of each frame. */
  readonly path: Int32Array;
  readonly speakers: number;
  /** Probability of several voices per hop. */
  readonly overlap: Float32Array;
}

/** Turns in order of their start, one speaker each; the turns of two speakers may overlap. */
export function buildTurns(input: TurnsInput): readonly SpeakerTurn[] {
  const { speakers, overlap } = input;
  const hops = overlap.length;
  const { main, frameOf } = mainSpeakers(input, hops);
  const active = Array.from({ length: speakers }, () => new Uint8Array(hops));
  main.forEach((speaker, hop) => {
    if (speaker >= 0) active[speaker]![hop] = 1;
  });
  for (const { start, end } of speakers < 2 ? [] : overlaps(overlap, main)) {
    for (let hop = start; hop < end; hop += 1) {
      const { similarities } = input.frames[frameOf[hop]!]!;
      active[secondSpeaker(main, hop, similarities)]![hop] = 1;
    }
  }
  const turns = active.flatMap((_, speaker) => runsOf(active, speaker));
  return renumber(turns.toSorted((a, b) => a.start - b.start || a.end - b.end));
}

/** Per hop: the speaker on the path, -1 in silence, and the frame it lies in. */
function mainSpeakers({ speech, frames, path }: TurnsInput, hops: number) {
  const main = new Int32Array(hops).fill(-1);
  const frameOf = new Int32Array(hops);
  let frame = 0;
  speech.forEach(({ startSample, endSample }, segment) => {
    while (frames[frame]!.segment < segment) frame += 1;
    const last = Math.min(hops, Math.ceil(endSample / countHopSamples));
    for (let hop = Math.floor(startSample / countHopSamples); hop < last; hop += 1) {
      const sample = hop * countHopSamples;
      while (
        frames[frame + 1]?.segment === segment &&
        (frames[frame]!.sample + frames[frame + 1]!.sample) / 2 <= sample
      ) {
        frame += 1;
      }
      main[hop] = path[frame]!;
      frameOf[hop] = frame;
    }
  });
  return { main, frameOf };
}

/** Segments of overlapped speech that are long enough to be reliable. */
function overlaps(overlap: Float32Array, main: Int32Array): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  overlap.forEach((probability, hop) => {
    if (probability < overlapThreshold || main[hop]! < 0) return;
    const last = found.at(-1);
    if (last && hop - last.end <= alwaysBridgedHops) last.end = hop + 1;
    else found.push({ start: hop, end: hop + 1 });
  });
  // Bridged hops may lie in silence, which has no speaker.
  return found
    .filter(({ start, end }) => end - start >= minOverlapHops)
    .flatMap(({ start, end }) => splitAtSilence(start, end, main));
}

function splitAtSilence(
  start: number,
  end: number,
  main: Int32Array,
): { start: number; end: number }[] {
  const silent = main.subarray(start, end).indexOf(-1);
  if (silent < 0) return [{ start, end }];
  const rest = splitAtSilence(start + silent + 1, end, main);
  return silent > 0 ? [{ start, end: start + silent }, ...rest] : rest;
}

function secondSpeaker(main: Int32Array, hop: number, similarities: Float32Array): number {
  const first = main[hop]!;
  const scores = similarities.map((cosine, speaker) => {
    if (speaker === first) return -Infinity;
    let distance = 0;
    while (
      distance < maxDistanceHops &&
      main[hop - distance] !== speaker &&
      main[hop + distance] !== speaker
    ) {
      distance += 1;
    }
    return cosine - distancePenalty * distance * countHopSeconds;
  });
  return indexOfMax(scores);
}

function runsOf(active: readonly Uint8Array[], speaker: number): SpeakerTurn[] {
  const mask = active[speaker]!;
  const runs: { start: number; end: number }[] = [];
  for (let hop = 0; hop < mask.length; hop += 1) {
    if (!mask[hop]) continue;
    const last = runs.at(-1);
    if (last && closes(active, last.end, hop)) last.end = hop + 1;
    else runs.push({ start: hop, end: hop + 1 });
  }
  return runs
    .filter(({ start, end }) => end - start >= minTurnHops)
    .map(({ start, end }) => ({
      start: start * countHopSeconds,
      end: end * countHopSeconds,
      speaker,
    }));
}

/** Whether the gap `[from, to)` belongs to the turn around it. */
function closes(active: readonly Uint8Array[], from: number, to: number): boolean {
  if (to - from <= alwaysBridgedHops) return true;
  if (to - from > bridgedHops) return false;
  return active.every((mask) => !mask.subarray(from, to).includes(1));
}

/** Numbers the speakers in order of first appearance. @param turns in order of their start */
export function renumber<T extends { readonly speaker: number | null }>(
  turns: readonly T[],
): readonly (T & { readonly speaker: number })[] {
  const order = [...new Set(turns.map(({ speaker }) => speaker))];
  return turns.map((turn) => ({ ...turn, speaker: order.indexOf(turn.speaker) }));
}
