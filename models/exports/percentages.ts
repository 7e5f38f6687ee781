// Shares as percentages that people can add up; pure.

/**
 * Percentages without decimals that add up to what the shares add up to: by largest remainder.
 * @param shares 0-1
 */
export function wholePercents(shares: readonly number[]): readonly number[] {
  const exact = shares.map((share) => 100 * share);
  const whole = exact.map(Math.floor);
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const missing = Math.round(sum(exact)) - sum(whole);
  const byRemainder = exact
    .map((value, i) => ({ i, remainder: value - whole[i]! }))
    .toSorted((a, b) => b.remainder - a.remainder);
  for (const { i } of byRemainder.slice(0, missing)) whole[i]! += 1;
  return whole;
}
