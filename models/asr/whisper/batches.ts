// Which chunks are decoded together, and how many rows a batch holds; pure.

/** More rows are hardly cheaper per row: what they have read themselves is copied in each step. */
const maxRows = 16;
/** Of the keys and values of all chunks of a batch: 11 chunks of 28 s of Whisper base. */
const maxBytes = 100_000_000;

/**
 * Indices of chunks that form a batch, the longest first: they are padded to one length.
 * @param contexts positions of each chunk
 */
export function batchesOf(
  contexts: readonly number[],
  contextBytes: number,
): readonly (readonly number[])[] {
  const longestFirst = contexts.map((_, i) => i).sort((a, b) => contexts[b]! - contexts[a]!);
  const batches: number[][] = [];
  for (const index of longestFirst) {
    const batch = batches.at(-1);
    const fits = batch && batch.length < rowsOf(contexts[batch[0]!]!, contextBytes);
    if (fits) batch.push(index);
    else batches.push([index]);
  }
  return batches;
}

/** @param context positions of the longest row */
export function rowsOf(context: number, contextBytes: number): number {
  return Math.max(1, Math.min(maxRows, Math.floor(maxBytes / (context * contextBytes))));
}
