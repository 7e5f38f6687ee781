// Loudness of a recording second by second: RMS in dB below full scale.
import { sampleRate } from './sample-rate.ts';

export interface LoudnessCollector {
  /** 16 kHz PCM16, in order. */
  push(pcm: Int16Array): void;
  /** dBFS of each second, one decimal; the last one may be shorter. */
  end(): readonly number[];
}

const fullScale = 32_768;
/** Digital silence. */
export const silenceDb = -96;

export function collectLoudness(): LoudnessCollector {
  const seconds: number[] = [];
  let energy = 0;
  let count = 0;
  const close = (): void => {
    seconds.push(Math.round(10 * toDb(energy / count)) / 10);
    energy = 0;
    count = 0;
  };
  return {
    push(pcm) {
      for (const sample of pcm) {
        energy += (sample / fullScale) ** 2;
        count += 1;
        if (count === sampleRate) close();
      }
    },
    end() {
      if (count > 0) close();
      return seconds;
    },
  };
}

/** @param power mean of the squared samples, full scale is 1 */
export function toDb(power: number): number {
  return power <= 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(power));
}
