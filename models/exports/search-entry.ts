// What of a result people search for and count: its words, labels and speakers; pure.
import { isUnsure, isUnsureLabel } from './low-confidence.ts';
import type { ExportedSegment } from './exported-result.ts';

/** The part of a result that is read; speakers are counted, not named. */
interface SearchedResult {
  readonly text: string | null;
  readonly language: string | null;
  readonly speakers: number | null;
  readonly segments: readonly Pick<ExportedSegment, 'text' | 'words' | 'emotions' | 'styles'>[];
}

/**
 * Four hours of speech; the words of a longer text would not fit into a text search vector of
 * PostgreSQL, which holds 1 MB.
 */
const maxTextLength = 200_000;

/** @param durationSeconds of the recording */
export function searchEntryOf(result: SearchedResult, durationSeconds: number) {
  const { segments, language, speakers } = result;
  const words = segments.flatMap((segment) => segment.words);
  const labels = segments
    .flatMap(({ emotions, styles }) => [...emotions, ...styles])
    .filter((label) => !isUnsureLabel(label));
  const text = result.text ?? segments.map((segment) => segment.text ?? '').join(' ');
  return {
    text: text.slice(0, maxTextLength),
    language,
    labels: [...new Set(labels.map(({ label }) => label))].toSorted(),
    speakers,
    durationSeconds,
    words: words.length,
    unsureWords: words.filter(isUnsure).length,
  };
}
