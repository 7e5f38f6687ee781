// The hop of voice activity, for which Silero returns one probability.
import { sampleRate } from '../audio/sample-rate.ts';

/** Fixed by the model. */
export const hopSamples = 512;
export const hopSeconds = hopSamples / sampleRate;

/**
 * A recording begins and ends in silence, in which voice activity comes to rest: it hears a second
 * of zeros first, so that its state is that of silence, ...
 */
export const warmUpHops = 31;
/** ... and half a second of them last, so that speech up to the end ends as it does elsewhere. */
export const tailHops = 16;
