// Two sides measured in turn, A B A B, and their ratio: the median of the rounds is quoted.

export interface Ratio {
  readonly name: string;
  /** Medians in milliseconds. */
  readonly aMs: number;
  readonly bMs: number;
  /** Median of the rounds' A / B. */
  readonly ratio: number;
  readonly gate: string;
  readonly rounds: number;
}

interface RatioOptions<Side> {
  readonly name: string;
  readonly gate: string;
  readonly rounds: number;
  readonly a: Side;
  readonly b: Side;
  /** Default 4. */
  readonly warmUpRounds?: number;
}

/** Rounds before those that count: compiled code and open connections are the normal state. */
const defaultWarmUpRounds = 4;

/** The wall time of both sides: warm-up rounds, then `rounds` that count. */
export function measureRatio(options: RatioOptions<() => Promise<unknown>>): Promise<Ratio> {
  const { a, b } = options;
  return compareTimes({ ...options, a: () => milliseconds(a), b: () => milliseconds(b) });
}

/** The same for sides that report themselves how many milliseconds they took. */
export async function compareTimes(options: RatioOptions<() => Promise<number>>): Promise<Ratio> {
  const { name, gate, rounds, a, b, warmUpRounds = defaultWarmUpRounds } = options;
  const pairs: { a: number; b: number }[] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const pair = { a: await a(), b: await b() };
    if (round >= 0) pairs.push(pair);
  }
  return {
    name,
    aMs: median(pairs.map((pair) => pair.a)),
    bMs: median(pairs.map((pair) => pair.b)),
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
    gate,
    rounds,
  };
}

/** Wall time of one piece of work. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
