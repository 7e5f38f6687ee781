// The hop of voice activity, for which Silero returns one probability.
import { sampleRate } from '../audio/sample-rate.ts';

/** Fixed by the model. */
export const hopSamples = 512;
export const hopSeconds = hopSamples / sampleRate;
