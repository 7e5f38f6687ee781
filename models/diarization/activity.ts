// From talker probabilities to stretches of speech and of overlap; pure.
import { talkerHopSamples } from './talker-count.ts';

/** Samples, end exclusive. */
export interface SampleSpan {
  readonly startSample: number;
  readonly endSample: number;
}

export interface TalkerActivity {
  /** Stretches in which somebody speaks, sorted and disjoint. */
  readonly speech: readonly SampleSpan[];
  /** Probability of several voices per hop of 24 ms. */
  readonly overlap: Float32Array;
}

/** On and off thresholds of the probability that anybody speaks. */
const onThreshold = 0.5;
const offThreshold = 0.3;
const minSpeechHops = 5;
/** Shorter pauses are part of the speech around them. */
const bridgedHops = 12;

/**
 * @param counts probabilities of one and of several voices, row-major [hops, 2]
 * @param samples length of the recording
 */
export function talkerActivity(counts: Float32Array, samples: number): TalkerActivity {
  const hops = counts.length / 2;
  const overlap = new Float32Array(hops);
  const spans: { start: number; end: number }[] = [];
  let start = -1;
  for (let hop = 0; hop <= hops; hop += 1) {
    const one = hop < hops ? counts[2 * hop]! : 0;
    const several = hop < hops ? counts[2 * hop + 1]! : 0;
    if (hop < hops) overlap[hop] = several;
    const speech = one + several;
    if (start < 0 && speech >= onThreshold) start = hop;
    else if (start >= 0 && speech < offThreshold) {
      if (hop - start >= minSpeechHops) join(spans, { start, end: hop });
      start = -1;
    }
  }
  const speech = spans.map(({ start: first, end }) => ({
    startSample: first * talkerHopSamples,
    endSample: Math.min(samples, end * talkerHopSamples),
  }));
  return { speech, overlap };
}

function join(spans: { start: number; end: number }[], span: { start: number; end: number }): void {
  const last = spans.at(-1);
  if (last && span.start - last.end < bridgedHops) last.end = span.end;
  else spans.push(span);
}
