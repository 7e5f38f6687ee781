// `tagged_text`: the running text with each segment's emotions and styles in front of it.
import type { RecordingSegment } from '../../models/analysis/result/result.ts';

/**
 * `[speaker_0 | happy, excited | warm] Hello there.` - speaker (only when diarized), emotions and
 * styles, then the text. The lists are comma-separated and may be empty. Square brackets and
 * backslashes of the text itself are preceded by a backslash, so a tag is never taken for text.
 */
export function taggedText({ speaker, emotions, styles, text }: RecordingSegment): string {
  const list = (scores: RecordingSegment['emotions']): string =>
    scores.map(({ label }) => label).join(', ');
  const parts = [list(emotions), list(styles)];
  const tag = (speaker === null ? parts : [`speaker_${speaker}`, ...parts]).join(' | ');
  return `[${tag}] ${(text ?? '').replaceAll(/[[\]\\]/g, String.raw`\$&`)}`.trimEnd();
}
