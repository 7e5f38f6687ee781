// Joins the words of chunks and splits them into segments at pauses; no word is lost or doubled at
// a seam.
import { bareWord, type Word } from './transcript.ts';

/** A pause this long ends a segment. */
const pauseSeconds = 0.8;
/** After the end of a sentence a shorter pause ends it, too. */
const sentencePauseSeconds = 0.3;
const maxSegmentSeconds = 15;
/** Chunks do not overlap, but a cut within speech can make both sides recognise the same word. */
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
      bareWord(first.word) === bareWord(last.word) &&
      // A word that was cut in two is short on both sides; a word spoken twice is not.
      last.end - last.start + (first.end - first.start) < 2 * seamSeconds;
    words.push(...(doubled ? chunk.slice(1) : chunk));
  }
  return words;
}

/** Splits words at pauses, and between sentences once a segment is long. */
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
