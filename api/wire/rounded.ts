// Numbers as they leave the service.

/** Rounded to so many decimals, half up. */
export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
