// The figures of a run of `npm run bench`, by the names that docs/benchmarks/history.csv has.
import type { LiveLatency } from './live.ts';
import type { MemoryFigures } from './memory.ts';
import type { Ratio } from './ratio.ts';
import type { StackMemory } from './stack-memory.ts';
import type { ManyStreams } from './stream.ts';

export interface Figure {
  /** Without quotation marks. */
  readonly measure: string;
  readonly value: string;
}

/** What was not wanted is null. */
export interface Measured {
  readonly ratios: readonly Ratio[];
  readonly streams: ManyStreams | null;
  readonly live: readonly LiveLatency[] | null;
  readonly memory: MemoryFigures | null;
  readonly stackMemory: StackMemory | null;
}

export function figuresOf(measured: Measured): readonly Figure[] {
  const { ratios, streams, live, memory, stackMemory } = measured;
  const rows: (readonly [measure: string, value: number, digits: number])[] = [
    ...ratios.map(({ name, ratio }) => [name, ratio, 2] as const),
  ];
  if (streams !== null) {
    const name = `${streams.streams} streams of 15 s, finish to result`;
    rows.push([`${name}, p50 s`, streams.finishP50Ms / 1_000, 1]);
    rows.push([`${name}, p95 s`, streams.finishP95Ms / 1_000, 1]);
  }
  for (const { stream, streams: count, p50Ms, p95Ms, stableP50Ms } of live ?? []) {
    const name = `interim text, ${stream}, ${count} at once`;
    rows.push([`${name}, p50 ms`, p50Ms, 0], [`${name}, p95 ms`, p95Ms, 0]);
    rows.push([`${name}, stable p50 ms`, stableP50Ms, 0]);
  }
  if (memory !== null) {
    rows.push(['7: peak memory of the worker, 60 min / 1 min', memory.ratio, 2]);
  }
  if (stackMemory !== null) {
    const { idle, peak, slopeMiBPerFile } = stackMemory;
    rows.push(
      ['12: idle stack, MiB', idle.stackMiB, 0],
      ['12: stack under load, MiB', peak.stackMiB, 0],
      ['12: inference process, idle, MiB', idle.largestInferenceMiB, 0],
      ['12: inference process, under load, MiB', peak.largestInferenceMiB, 0],
      ['12: a further file, MiB', slopeMiBPerFile, 2],
    );
  }
  return rows.map(([measure, value, digits]) => ({ measure, value: value.toFixed(digits) }));
}
