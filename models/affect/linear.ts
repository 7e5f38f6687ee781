// The products of the classifier: dot products, and linear maps.
import type { AffectWeights } from '../bundles/head-weights.ts';

/** Inputs times the weights, row by row of inputs, plus the bias. */
export function times(
  inputs: readonly number[],
  { weights, bias }: AffectWeights['absolute'],
): readonly number[] {
  return bias.map((value, column) => {
    return inputs.reduce((sum, input, row) => sum + input * weights[row]![column]!, value);
  });
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
