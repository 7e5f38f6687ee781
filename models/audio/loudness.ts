// Loudness of a recording second by second: RMS in dB below full scale.
import { collectBlocks } from './collect-blocks.ts';
import { sampleRate } from './sample-rate.ts';
import { fullScale, type SampleCollector } from './samples.ts';

/** Digital silence. */
export const silenceDb = -96;

/** dBFS of each second, one decimal; the last one may be shorter. */
export function collectLoudness(): SampleCollector<readonly number[]> {
  const seconds: number[] = [];
  let energy = 0;
  return collectBlocks(sampleRate, {
    take: (pcm, from, to) => (energy += squares(pcm, from, to)),
    close: (samples) => {
      seconds.push(Math.round(10 * toDb(energy / samples / fullScale ** 2)) / 10);
      energy = 0;
    },
    result: () => seconds,
  });
}

/** Exact: a second of squares stays below 2^53. */
function squares(pcm: Int16Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += pcm[i]! * pcm[i]!;
  return sum;
}

/** @param power mean of the squared samples, full scale is 1 */
export function toDb(power: number): number {
  return power <= 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(power));
}
