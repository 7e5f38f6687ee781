// Plans chunks, the unit of recognition, which start and end in a pause where there is one.
import { sampleRate } from '../../audio/sample-rate.ts';
import { hopSamples } from '../../vad/hops.ts';
import { bridgeGaps } from '../../vad/active-runs.ts';
import { quietestHop, type SpeechRegion } from '../../vad/speech-regions.ts';
import type { SampleSpan } from '../../audio/samples.ts';

/** A chunk holds at most 30 s. */
export interface Chunk extends SampleSpan {
  readonly index: number;
  /** What its padding lacks where the recording begins or ends; absent for nothing. */
  readonly silence?: ChunkSilence;
}

/** Zeros before the first and after the last sample of a chunk. */
export interface ChunkSilence {
  readonly beforeSamples: number;
  readonly afterSamples: number;
}

export interface ChunkOptions {
  /** Regions are joined while the chunk stays within this. */
  readonly targetSeconds: number;
  /** A region longer than this is cut at its quietest hop. */
  readonly maxSeconds: number;
  /**
   * Regions further apart than this never share a chunk, because long silence costs time and
   * provokes hallucinated text.
   */
  readonly maxGapSeconds: number;
  /** Silence kept on each side of the speech. */
  readonly paddingSeconds: number;
}

const hopsPerSecond = sampleRate / hopSamples;

/** Tuned with `npm run eval`: word error rate and speed over chunk lengths and padding. */
export const defaultChunkOptions: ChunkOptions = {
  targetSeconds: 12,
  maxSeconds: 18,
  maxGapSeconds: 1.5,
  paddingSeconds: 0.5,
};

/** How far back from the limit a forced cut searches for the quietest hop. */
const cutSearchSeconds = 5;

/**
 * Chunks over all speech, sorted and disjoint; [] for silence.
 * @param regions of speech, from `findSpeechRegions`
 * @param probabilities speech probability per hop of 512 samples
 * @param samples length of the recording
 */
export function planChunks(
  regions: readonly SpeechRegion[],
  probabilities: Float32Array,
  samples: number,
  options: ChunkOptions = defaultChunkOptions,
): readonly Chunk[] {
  const pieces = regions.flatMap((region) => cutLongRegion(region, probabilities, options));
  return pad(joinRegions(pieces, options), samples, options);
}

/** Cuts a region without pauses where speech is least likely. */
function cutLongRegion(
  region: SpeechRegion,
  probabilities: Float32Array,
  { maxSeconds, paddingSeconds }: ChunkOptions,
): SpeechRegion[] {
  // Leaves room for the padding, so that the padded chunk stays within the maximum.
  const maxHops = Math.floor((maxSeconds - 2 * paddingSeconds) * hopsPerSecond);
  const searchHops = Math.min(maxHops - 1, Math.floor(cutSearchSeconds * hopsPerSecond));
  const pieces: SpeechRegion[] = [];
  let { startHop } = region;
  while (region.endHop - startHop > maxHops) {
    const latest = startHop + maxHops;
    const cut = quietestHop(probabilities, { from: latest - searchHops + 1, to: latest });
    pieces.push({ startHop, endHop: cut });
    startHop = cut;
  }
  return [...pieces, { startHop, endHop: region.endHop }];
}

function joinRegions(
  regions: readonly SpeechRegion[],
  { targetSeconds, maxGapSeconds }: ChunkOptions,
): SpeechRegion[] {
  const maxGapHops = Math.floor(maxGapSeconds * hopsPerSecond);
  return bridgeGaps(regions, maxGapHops + 1, targetSeconds * hopsPerSecond);
}

/**
 * Widens each region by the padding, but never past the middle of the gap to its neighbour. Where
 * the recording begins or ends, the rest is silence: what is read of speech is the same with
 * silence around the recording and without.
 */
function pad(
  regions: readonly SpeechRegion[],
  samples: number,
  { paddingSeconds }: ChunkOptions,
): readonly Chunk[] {
  const padding = Math.round(paddingSeconds * sampleRate);
  return regions.map(({ startHop, endHop }, index) => {
    const before = index > 0 ? middle(regions[index - 1]!.endHop, startHop) : -Infinity;
    const next = regions[index + 1];
    const after = next ? middle(endHop, next.startHop) : Infinity;
    const startSample = Math.max(startHop * hopSamples - padding, before);
    const endSample = Math.min(endHop * hopSamples + padding, after);
    return {
      index,
      startSample: Math.max(startSample, 0),
      endSample: Math.min(endSample, samples),
      ...silenceAround({ startSample, endSample }, samples),
    };
  });
}

/** The silence in a span that begins before the recording does, or ends after it. */
export function silenceAround(
  { startSample, endSample }: SampleSpan,
  samples: number,
): Pick<Chunk, 'silence'> {
  const beforeSamples = Math.max(0, -startSample);
  const afterSamples = Math.max(0, endSample - samples);
  return beforeSamples + afterSamples > 0 ? { silence: { beforeSamples, afterSamples } } : {};
}

function middle(endHop: number, startHop: number): number {
  return Math.floor(((endHop + startHop) / 2) * hopSamples);
}
