// What voice activity hears in the silence behind a recording.

/**
 * In silence speech can only end: what is heard there never rises again.
 * @param probabilities one per hop
 * @param hops of the recording; those behind are silence
 * @returns the same, changed in place
 */
export function withQuietTail<Probabilities extends Float32Array | number[]>(
  probabilities: Probabilities,
  hops: number,
): Probabilities {
  for (let i = Math.max(1, hops); i < probabilities.length; i += 1) {
    probabilities[i] = Math.min(probabilities[i]!, probabilities[i - 1]!);
  }
  return probabilities;
}
