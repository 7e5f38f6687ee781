// What it costs to handle a block of a body, in bytes: a chunk of one byte takes some microseconds
// as well, and its sender chooses how many there are.

const minBytes = 1_024;

/** @returns what the block counts as where the rate or the share of its sender is measured */
export function costOf(bytes: number): number {
  return Math.max(bytes, minBytes);
}
