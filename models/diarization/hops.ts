// The hop in which voices are counted: the recognition encoder's own.
import { sampleRate } from '../audio/sample-rate.ts';

export const countHopSamples = 384;
export const countHopSeconds = countHopSamples / sampleRate;
