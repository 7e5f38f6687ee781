// The mean of two channels, one of which may be turned over: wires that were swapped make it the
// opposite of the other, and their mean would be silence.

/** So many times as loud as the sum, the difference is what was meant. */
const louder = 10;
/** What was heard counts half as much after so many seconds. */
const halfLifeSeconds = 1;

/**
 * Takes a block of each channel, in order. @returns their mean, or half of their difference while
 * they are opposites
 */
export type PairMean = (left: Float32Array, right: Float32Array) => Float32Array;

/** @param rate of both channels, in Hz */
export function createPairMean(rate: number): PairMean {
  let turned = false;
  let sums = 0;
  let differences = 0;
  return (left, right) => {
    const kept = 0.5 ** (left.length / (halfLifeSeconds * rate));
    sums *= kept;
    differences *= kept;
    for (let i = 0; i < left.length; i += 1) {
      sums += (left[i]! + right[i]!) ** 2;
      differences += (left[i]! - right[i]!) ** 2;
    }
    if (turned ? sums > louder * differences : differences > louder * sums) turned = !turned;
    const sign = turned ? -1 : 1;
    return left.map((sample, i) => (sample + sign * right[i]!) / 2);
  };
}
