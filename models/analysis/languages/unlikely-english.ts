// Whether a recording that is scored without words is in English, by its sound alone.
import type { AnalyzedChunk } from '../analyzed-chunk.ts';

/** True if what was scored is likelier to be in another language; false where nothing was. */
export function isUnlikelyEnglish(chunks: readonly AnalyzedChunk[]): boolean {
  const logOdds = chunks.reduce((sum, { scored, english }) => {
    const seconds = scored.reduce((length, { start, end }) => length + end - start, 0);
    return sum + seconds * (english ?? 0);
  }, 0);
  return logOdds < 0;
}
