// What docs/BENCHMARKS.md holds of a ratio, and the row that takes its place.
import type { Ratio } from './ratio.ts';

export const tableHead =
  '| ratio | A / B (median) | median of ratios | gate | rounds | before, oldest first |\n' +
  '|---|---|---|---|---|---|';

/**
 * The medians of a ratio so far, oldest first; none for a new ratio.
 * @param document - the text of docs/BENCHMARKS.md, whose table starts with `tableHead`
 */
export function ratiosBefore(document: string, name: string): readonly string[] {
  const row = document.split('\n').find((line) => line.startsWith(`| ${name} | `));
  if (row === undefined) return [];
  const [, , , ratio = '', , , before = ''] = row.split('|').map((cell) => cell.trim());
  return [...before.split(', '), ratio.replaceAll('*', '')].filter((value) => value !== '');
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
