// The positions of speaker embeddings: overlapping windows over all speech; pure.
import { sampleRate } from '../audio/sample-rate.ts';
import type { SampleSpan } from '../audio/samples.ts';

/** 1.6 s: long enough to distinguish voices, short enough for a turn of a few words. */
export const windowSamples = 25_600;
/**
 * 0.4 s; three times as much in recordings with enough speech of every speaker, where windows
 * closer together gain 0.2 points of DER with the count given.
 */
const stepSamples = 6_400;
const longSpeechSamples = 300 * sampleRate;
/** The embedding model's hop, on which windows start. */
export const hopSamples = 160;

/**
 * First samples of the windows, ascending. A segment shorter than a window gets one that is centred
 * on it.
 * @param samples length of the recording
 */
export function planWindows(speech: readonly SampleSpan[], samples: number): readonly number[] {
  const starts = new Set<number>();
  const latest = Math.max(0, samples - windowSamples);
  const step = isLong(speech) ? 3 * stepSamples : stepSamples;
  for (const { startSample, endSample } of speech) {
    const room = endSample - startSample - windowSamples;
    if (room <= 0) starts.add(clamp(startSample + room / 2, latest));
    else {
      const count = Math.ceil(room / step) + 1;
      for (let i = 0; i < count; i += 1) {
        starts.add(clamp(startSample + (room * i) / (count - 1), latest));
      }
    }
  }
  return [...starts].toSorted((a, b) => a - b);
}

/**
 * Indices of every second window of a segment but its last, where windows are far apart: there is
 * speech of the same segment before and after each, and no two follow each other.
 */
export function windowsBetween(
  starts: readonly number[],
  speech: readonly SampleSpan[],
): readonly number[] {
  if (!isLong(speech)) return [];
  const between: number[] = [];
  let next = 0;
  for (const { endSample } of speech) {
    const first = next;
    while (next < starts.length && starts[next]! + windowSamples / 2 < endSample) next += 1;
    for (let i = first + 1; i + 1 < next; i += 2) between.push(i);
  }
  return between;
}

function isLong(speech: readonly SampleSpan[]): boolean {
  const total = speech.reduce((sum, span) => sum + span.endSample - span.startSample, 0);
  return total > longSpeechSamples;
}

function clamp(start: number, latest: number): number {
  return Math.floor(Math.min(latest, Math.max(0, start)) / hopSamples) * hopSamples;
}
