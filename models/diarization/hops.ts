// The hop in which voices are counted: the recognition encoder's own.
import { sampleRate } from '../audio/sample-rate.ts';

export const talkerHopSamples = 384;
export const talkerHopSeconds = talkerHopSamples / sampleRate;
