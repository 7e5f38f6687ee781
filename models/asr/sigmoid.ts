// The logistic function, which maps a logit to a score between 0 and 1.

/** Finite for every logit, infinite ones included. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
