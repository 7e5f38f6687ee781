// The clock of voice activity: Silero gives one probability per hop.
import { sampleRate } from '../audio/sample-rate.ts';

/** The manifest's `hopSamples`, which the model was made for. */
export const hopSamples = 512;
export const hopSeconds = hopSamples / sampleRate;
