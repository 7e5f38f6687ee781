// Where the hops of voice activity begin in a recording.
import { soundPhase } from '../audio/sound-phase.ts';
import { hopSamples } from './hops.ts';

/** What decides: a minute. */
export const gridSamples = 1_875 * hopSamples;

/**
 * A sound has the same hops wherever in a recording it is: in others it is heard otherwise, and now
 * and then not as speech.
 * @param pcm the recording, of which the first minute counts
 * @returns the sample at which the first hop begins: less than half a hop before or after the
 * recording does
 */
export function gridStart(pcm: Int16Array): number {
  const phase = soundPhase(pcm.subarray(0, gridSamples), hopSamples);
  return phase < hopSamples / 2 ? phase : phase - hopSamples;
}
