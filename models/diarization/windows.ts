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
const hopSamples = 160;

/**
 * First samples of the windows, ascending. A segment shorter than a window gets one that is centred
 * on it.
 * @param samples length of the recording
 */
export function planWindows(speech: readonly SampleSpan[], samples: number): readonly number[] {
  const starts = new Set<number>();
  const latest = Math.max(0, samples - windowSamples);
  const total = speech.reduce((sum, span) => sum + span.endSample - span.startSample, 0);
  const step = total > longSpeechSamples ? 3 * stepSamples : stepSamples;
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

function clamp(start: number, latest: number): number {
  return Math.floor(Math.min(latest, Math.max(0, start)) / hopSamples) * hopSamples;
}
