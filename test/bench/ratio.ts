// Two sides measured in turn, A B A B, and their ratio: what is quoted is the median of the rounds.

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

export interface RatioOptions {
  readonly name: string;
  readonly gate: string;
  readonly rounds: number;
  readonly a: () => Promise<unknown>;
  readonly b: () => Promise<unknown>;
  /** Default 4. */
  readonly warmUpRounds?: number;
}

/** Rounds before those that count: compiled code and open connections are the normal state. */
const defaultWarmUpRounds = 4;

/** Warm-up rounds, then `rounds` that count. */
export async function measureRatio(options: RatioOptions): Promise<Ratio> {
  const { name, gate, rounds, a, b, warmUpRounds = defaultWarmUpRounds } = options;
  for (let round = 0; round < warmUpRounds; round += 1) {
    await a();
    await b();
  }
  const pairs: { a: number; b: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ a: await milliseconds(a), b: await milliseconds(b) });
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

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
