// The hop of speaker counting, which is that of the recognition encoder.
import { sampleRate } from '../audio/sample-rate.ts';

export const countHopSamples = 384;
export const countHopSeconds = countHopSamples / sampleRate;
