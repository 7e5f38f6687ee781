// Logistic regression by Newton's method, with both classes of equal weight.
import { sigmoid } from '../../models/asr/sigmoid.ts';

export interface LabelledRow {
  readonly values: readonly number[];
  readonly label: boolean;
}

const steps = 40;
const ridge = 1e-6;

/** @returns a slope for each value, then the offset */
export function fitLogistic(rows: readonly LabelledRow[]): readonly number[] {
  const positives = rows.filter(({ label }) => label).length;
  const size = (rows[0]?.values.length ?? 0) + 1;
  let weights: readonly number[] = Array<number>(size).fill(0);
  for (let step = 0; step < steps; step += 1) {
    const gradient = weights.map((weight) => -ridge * weight);
    const curvature = weights.map((_, i) => weights.map((_, j) => (i === j ? ridge : 0)));
    for (const { values, label } of rows) {
      const inputs = [...values, 1];
      const share = 0.5 / (label ? positives : rows.length - positives);
      const p = sigmoid(inputs.reduce((sum, value, i) => sum + value * weights[i]!, 0));
      inputs.forEach((value, i) => {
        gradient[i]! += share * (Number(label) - p) * value;
        inputs.forEach((other, j) => (curvature[i]![j]! += share * p * (1 - p) * value * other));
      });
    }
    const move = solve(curvature, gradient);
    weights = weights.map((weight, i) => weight + move[i]!);
  }
  return weights;
}

/** Solves a symmetric positive definite system by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  rows.forEach((pivot, i) => {
    rows.forEach((row, j) => {
      if (j === i) return;
      const factor = row[i]! / pivot[i]!;
      row.forEach((_, column) => (row[column]! -= factor * pivot[column]!));
    });
  });
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

/** Share of the pairs in which the first set's value is the greater. */
export function areaUnderCurve(greater: readonly number[], lesser: readonly number[]): number {
  const wins = greater.reduce(
    (sum, a) => sum + lesser.reduce((own, b) => own + (a > b ? 1 : a === b ? 0.5 : 0), 0),
    0,
  );
  return wins / (greater.length * lesser.length);
}
