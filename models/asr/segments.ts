// Words of chunks to segments: nothing lost or doubled at a seam, cuts at pauses.
import type { Word } from './transcript.ts';

/** A pause this long ends a segment. */
const pauseSeconds = 0.8;
/** After a full stop a shorter pause ends it too. */
const sentencePauseSeconds = 0.3;
const maxSegmentSeconds = 15;
/** Chunks do not overlap; a cut inside speech can still make both sides hear the same word. */
const seamSeconds = 0.2;

/** Words of consecutive chunks as one list. */
export function joinWords(chunks: readonly (readonly Word[])[]): readonly Word[] {
  const words: Word[] = [];
  for (const chunk of chunks) {
    const last = words.at(-1);
    const [first] = chunk;
    const doubled =
      last !== undefined &&
      first !== undefined &&
      first.start - last.end < seamSeconds &&
      bare(first.word) === bare(last.word) &&
      // A word cut in two is short on both sides; a word said twice is not.
      last.end - last.start + (first.end - first.start) < 2 * seamSeconds;
    words.push(...(doubled ? chunk.slice(1) : chunk));
  }
  return words;
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');
}

/** Runs of words between pauses, and between sentences once a run is long. */
export function splitSegments(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [];
  for (const word of words) {
    const current = segments.at(-1);
    if (current === undefined || endsBefore(current, word)) segments.push([word]);
    else current.push(word);
  }
  return segments;
}

function endsBefore(segment: readonly Word[], next: Word): boolean {
  const last = segment.at(-1)!;
  const pause = next.start - last.end;
  if (pause >= pauseSeconds) return true;
  const sentenceEnds = /[.!?]["')]?$/.test(last.word);
  if (sentenceEnds && pause >= sentencePauseSeconds) return true;
  const seconds = next.end - segment[0]!.start;
  return seconds > maxSegmentSeconds && (sentenceEnds || seconds > 2 * maxSegmentSeconds);
}
