// Chunks to one transcript: words in order, nothing lost or doubled at a seam, segments at pauses.
import type { ChunkTranscript, Transcript, TranscriptSegment, Word } from './transcript.ts';

/** A pause this long ends a segment. */
const pauseSeconds = 0.8;
/** After a full stop a shorter pause ends it too. */
const sentencePauseSeconds = 0.3;
const maxSegmentSeconds = 15;
/** Chunks do not overlap; a cut inside speech can still make both sides hear the same word. */
const seamSeconds = 0.2;

/** Joins the chunks of a recording, whatever order they come in. */
export function assembleTranscript(chunks: readonly ChunkTranscript[]): Transcript {
  const words = joinWords(chunks.toSorted((a, b) => a.index - b.index));
  const segments = splitSegments(words).map(toSegment);
  return { text: segments.map((segment) => segment.text).join(' '), segments };
}

function joinWords(chunks: readonly ChunkTranscript[]): Word[] {
  const words: Word[] = [];
  for (const chunk of chunks) {
    const last = words.at(-1);
    const [first] = chunk.words;
    const doubled =
      last !== undefined &&
      first !== undefined &&
      first.start - last.end < seamSeconds &&
      bare(first.word) === bare(last.word) &&
      // A word cut in two is short on both sides; a word said twice is not.
      last.end - last.start + (first.end - first.start) < 2 * seamSeconds;
    words.push(...(doubled ? chunk.words.slice(1) : chunk.words));
  }
  return words;
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');
}

function splitSegments(words: readonly Word[]): Word[][] {
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

function toSegment(words: readonly Word[]): TranscriptSegment {
  return {
    start: words[0]!.start,
    end: words.at(-1)!.end,
    text: words.map((word) => word.word).join(' '),
    words,
  };
}
