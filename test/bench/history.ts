// docs/benchmarks/history.csv: what it holds of a measure, and the lines that a run adds to it.
import type { Figure } from './figures.ts';
import type { Ratio } from './ratio.ts';

export const tableHead =
  '| ratio | A / B (median) | median of ratios | gate | rounds | before, oldest first |\n' +
  '|---|---|---|---|---|---|';

export const historyHead = 'date,commit,machine,measure,value';

export interface Run {
  /** Such as 2026-11-29. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
}

/**
 * The figures of a measure so far, oldest first; none for a new measure.
 * @param history - the text of docs/benchmarks/history.csv
 */
export function figuresBefore(history: string, measure: string): readonly string[] {
  const mark = `,"${measure}",`;
  return history.split('\n').flatMap((line) => {
    const at = line.indexOf(mark);
    return at < 0 ? [] : [line.slice(at + mark.length)];
  });
}

/** The lines of a run, each with its end. */
export function historyLines(run: Run, figures: readonly Figure[]): string {
  const { date, commit, machine } = run;
  return figures
    .map(({ measure, value }) => `${date},${commit},${machine},"${measure}",${value}\n`)
    .join('');
}

/** Of which the first that a processor has says how it multiplies bytes. */
const features = ['amx_int8', 'avx512_vnni', 'avx_vnni', 'avx2'];

/**
 * The machine of a run, by its processor.
 * @param cpuInfo - the text of /proc/cpuinfo
 */
export function machineOf(cpuInfo: string, architecture: string): string {
  const flags = new Set(/^flags\s*: (.*)$/m.exec(cpuInfo)?.[1]?.split(' '));
  return features.find((feature) => flags.has(feature)) ?? architecture;
}

/** A row of the table; bold where the ratio misses its gate. */
export function ratioRow(measured: Ratio, before: readonly string[]): string {
  const { name, aMs, bMs, ratio, gate, rounds } = measured;
  const figure = ratio.toFixed(2);
  const cells = [
    name,
    `${duration(aMs)} / ${duration(bMs)}`,
    isWithin(ratio, gate) ? figure : `**${figure}**`,
    gate,
    rounds,
    before.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** @param gate - such as `<= 0.90`; text without a bound is no gate */
export function isWithin(ratio: number, gate: string): boolean {
  const [, relation, bound] = /^([<>]=) ([\d.]+)$/.exec(gate) ?? [];
  if (relation === undefined) return true;
  return relation === '<=' ? ratio <= Number(bound) : ratio >= Number(bound);
}

function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms.toPrecision(3)} ms`;
}
