// Text and language of a recording from its segments and chunks.
import type { TaskSteps } from '../../contract/tasks.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { RecordingResult, RecordingSegment } from './result.ts';

interface TranscriptInput {
  readonly steps: TaskSteps;
  /** The language that the request fixes, reported when no word was recognised; or null. */
  readonly language: string | null;
  readonly segments: readonly RecordingSegment[];
  readonly chunks: readonly AnalyzedChunk[];
}

export function transcriptOf({
  steps,
  language,
  segments,
  chunks,
}: TranscriptInput): Pick<RecordingResult, 'text' | 'language'> {
  // A turn without a recognised word adds nothing, not even a space.
  const joined = (parts: readonly (string | null)[]): string =>
    parts.filter((part) => part !== null && part !== '').join(' ');
  if (steps.words) {
    const spoken = mainLanguage(chunks) ?? language ?? 'en';
    return { text: joined(segments.map((segment) => segment.text)), language: spoken };
  }
  if (!steps.text) return { text: null, language: null };
  const written = chunks.flatMap((chunk) => chunk.written ?? []).filter((part) => part.text !== '');
  return {
    text: joined(written.map((part) => part.text)),
    language: longest(written.map((part) => [part.language, part.text.length])),
  };
}

/** The language with most speech, according to the words' times; null without words. */
function mainLanguage(chunks: readonly AnalyzedChunk[]): string | null {
  const spoken = chunks.filter(({ words }) => words.length > 0);
  return longest(
    spoken.map(({ words, language }) => [
      language ?? 'en',
      words.reduce((sum, { start, end }) => sum + end - start, 0),
    ]),
  );
}

/** Of names with lengths, the one with the largest total; null without any. */
function longest(parts: readonly (readonly [name: string, length: number])[]): string | null {
  const total = new Map<string, number>();
  for (const [name, length] of parts) total.set(name, (total.get(name) ?? 0) + length);
  const [first] = [...total].toSorted(([, a], [, b]) => b - a);
  return first ? first[0] : null;
}
