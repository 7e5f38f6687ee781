// Aligns a given transcript with the recognised words: their agreement, and the words of each
// chunk; pure.
import { commonPairs } from '../alignment/common-pairs.ts';
import { bareWord } from '../asr/transcript.ts';

export interface RecognisedWord {
  readonly word: string;
  /** The chunk in which it was recognised. */
  readonly chunk: number;
}

export interface AlignedTranscript {
  /** Words of each chunk in order; every word of the transcript is in one chunk. */
  readonly chunks: readonly (readonly string[])[];
  /** Share of the transcript's words that were recognised in its order, 0-1. */
  readonly agreement: number;
}

/** Words of a transcript: parts between spaces that contain a letter or a digit. */
export function transcriptWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => bareWord(word) !== '');
}

/** @param chunkSeconds length of each chunk, by which words without a match are distributed */
export function alignTranscript(
  words: readonly string[],
  recognised: readonly RecognisedWord[],
  chunkSeconds: readonly number[],
): AlignedTranscript {
  const pairs = commonPairs(
    words.map(bareWord),
    recognised.map(({ word }) => bareWord(word)),
  );
  const chunks: string[][] = chunkSeconds.map(() => []);
  if (chunks.length === 0) return { chunks, agreement: 0 };
  // Anchors: the start, each matching word, the end.
  const points = [
    { word: -1, chunk: 0 },
    ...pairs.map(([word, i]) => ({ word, chunk: recognised[i]!.chunk })),
    { word: words.length, chunk: chunks.length - 1 },
  ];
  for (let i = 1; i < points.length; i += 1) {
    const from = points[i - 1]!;
    const to = points[i]!;
    const between = to.word - from.word - 1;
    for (let n = 0; n < between; n += 1) {
      const share = (n + 0.5) / between;
      chunks[chunkAt(from.chunk, to.chunk, share, chunkSeconds)]!.push(words[from.word + 1 + n]!);
    }
    if (to.word < words.length) chunks[to.chunk]!.push(words[to.word]!);
  }
  return { chunks, agreement: words.length === 0 ? 0 : pairs.length / words.length };
}

function chunkAt(
  first: number,
  last: number,
  share: number,
  chunkSeconds: readonly number[],
): number {
  const lengths = chunkSeconds.slice(first, last + 1);
  let left = share * lengths.reduce((sum, seconds) => sum + seconds, 0);
  for (let i = 0; i < lengths.length; i += 1) {
    left -= lengths[i]!;
    if (left <= 0) return first + i;
  }
  return last;
}
