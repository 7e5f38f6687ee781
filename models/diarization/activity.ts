// Segments of speech and of overlap from speaker counts per hop; pure.
import type { SampleSpan } from '../audio/samples.ts';
import { activeRuns, bridgeGaps } from '../vad/active-runs.ts';
import { countHopSamples } from './hops.ts';

export interface SpeakerActivity {
  /** Segments of speech, sorted and disjoint. */
  readonly speech: readonly SampleSpan[];
  /** Probability of several voices per hop of 24 ms. */
  readonly overlap: Float32Array;
}

/** On and off thresholds of the probability of at least one voice. */
const thresholds = { on: 0.5, off: 0.3 };
const minSpeechHops = 5;
/** Shorter pauses belong to the speech around them. */
const bridgedHops = 12;

/**
 * @param counts probabilities of one and of several voices, row-major [hops, 2]
 * @param samples length of the recording
 */
export function speakerActivity(counts: Float32Array, samples: number): SpeakerActivity {
  const hops = counts.length / 2;
  const overlap = Float32Array.from({ length: hops }, (_, hop) => counts[2 * hop + 1]!);
  const anyVoice = (hop: number) => counts[2 * hop]! + counts[2 * hop + 1]!;
  const runs = activeRuns(hops, anyVoice, thresholds).filter(
    ({ startHop, endHop }) => endHop - startHop >= minSpeechHops,
  );
  const speech = bridgeGaps(runs, bridgedHops).map(({ startHop, endHop }) => ({
    startSample: startHop * countHopSamples,
    endSample: Math.min(samples, endHop * countHopSamples),
  }));
  return { speech, overlap };
}
