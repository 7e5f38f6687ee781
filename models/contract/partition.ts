// The bisection that searches in ascending numbers share.

/** The first index where a condition holds, by bisection; `count` when it holds nowhere. */
export function partition(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
