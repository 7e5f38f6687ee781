// The confidence interval of a counted share (Wilson 1927), valid for few trials and shares near 1.

const z = 1.96;

/** The 95 % interval of the share of `right` among `trials`; 0 to 1 without trials. */
export function wilsonInterval(
  right: number,
  trials: number,
): { readonly low: number; readonly high: number } {
  if (trials === 0) return { low: 0, high: 1 };
  const share = right / trials;
  const scale = 1 + z ** 2 / trials;
  const middle = (share + z ** 2 / (2 * trials)) / scale;
  const reach =
    (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return { low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}
