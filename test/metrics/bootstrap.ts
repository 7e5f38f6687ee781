// Intervals by resampling (Efron 1979); pairs stay together (Bisani and Ney 2004).
import { seededRandom } from '../../models/asr/whisper/sampling.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const rounds = 2_000;
const tail = 0.025;

/** The 95 % interval of `statistic` over samples of the same size, drawn with replacement. */
export function bootstrapInterval<T>(
  items: readonly T[],
  statistic: (drawn: readonly T[]) => number,
): Interval {
  const random = seededRandom(1);
  const values = Array.from({ length: rounds }, () =>
    statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).toSorted((a, b) => a - b);
  return {
    low: values[Math.floor(tail * rounds)]!,
    high: values[Math.ceil((1 - tail) * rounds) - 1]!,
  };
}
