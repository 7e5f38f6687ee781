// A result for a terminal: who spoke when, what, and how sure the service is of it.
import { scoredLabels, textPieces, unsureNote } from '../../models/exports/low-confidence.ts';
import type { ExportedSegment } from '../../models/exports/result.ts';
import { resultSchema } from './result-schema.ts';
import { clock, speedLine } from './transcript-view.ts';

/**
 * One line per segment: time, speaker, words, and emotions and styles with their scores. Words of
 * low confidence are followed by `(?)`; a line before all others says when most are.
 * @param body of a SpeechResult
 */
export function resultLines(body: unknown, tookSeconds: number): readonly string[] {
  const result = resultSchema.parse(body);
  const note = unsureNote(result);
  return [
    ...(note === null ? [] : [note]),
    ...result.segments.map((segment) => {
      const parts = [clock(segment.start), segment.speaker, words(segment), labels(segment)];
      return parts.filter((part) => part).join('  ');
    }),
    speedLine(result.duration, tookSeconds),
  ];
}

function words(segment: ExportedSegment): string {
  return textPieces(segment)
    .map(({ text, unsure }) => (unsure === null ? text : `${text}(?)`))
    .join('');
}

function labels({ emotions, styles }: ExportedSegment): string {
  const kinds = [
    ...(emotions.length === 0 ? [] : [`emotions: ${scoredLabels(emotions)}`]),
    ...(styles.length === 0 ? [] : [`styles: ${scoredLabels(styles)}`]),
  ];
  return kinds.length === 0 ? '' : `[${kinds.join('; ')}]`;
}
