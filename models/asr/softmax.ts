// From scores to probabilities: the peak of a row of logits and its normalising sum, and the shares
// of named scores.

export interface Peak {
  readonly id: number;
  readonly max: number;
}

/** The first of the largest entries. */
export function peakOf(logits: Float32Array): Peak {
  let id = 0;
  let max = -Infinity;
  for (let i = 0; i < logits.length; i += 1) {
    if (logits[i]! > max) {
      max = logits[i]!;
      id = i;
    }
  }
  return { id, max };
}

/** Sum of exp(logit - max). */
export function sumOfExponents(logits: Float32Array, max: number): number {
  let sum = 0;
  for (let i = 0; i < logits.length; i += 1) {
    // exp(-16) of 51,865 entries adds at most 0.6 %, so skipping those saves most of the pass.
    const difference = logits[i]! - max;
    if (difference > -16) sum += Math.exp(difference);
  }
  return sum;
}

/** The probability of each name, given its log-likelihood; the sum is 1. */
export function sharesOf(
  scores: readonly (readonly [name: string, score: number])[],
): Readonly<Record<string, number>> {
  const max = Math.max(...scores.map(([, score]) => score));
  const sum = scores.reduce((total, [, score]) => total + Math.exp(score - max), 0);
  return Object.fromEntries(scores.map(([name, score]) => [name, Math.exp(score - max) / sum]));
}
