// A stored result without what can be removed, for a view of it; what is stored stays as it is.
import type { Redaction } from '../../contract/redaction.ts';
import { readLanguageCodes } from '../../numbers/languages.ts';
import { redactTurns } from '../../redaction/redact-turns.ts';
import type { RecordingResult, RecordingSegment } from './result.ts';

/**
 * Results keep the main language alone: long numbers are looked for in every other one as well.
 * Text without words has no times to look at, and is left out.
 */
export function redactResult(result: RecordingResult, redaction: Redaction): RecordingResult {
  const language = result.language ?? 'en';
  const { words, removed } = redactTurns(result.segments, redaction, () => language, {
    others: readLanguageCodes.filter((other) => other !== language),
  });
  const segments = result.segments.map((segment, i): RecordingSegment => {
    const kept = words[i]!;
    if (segment.words.length === 0) return { ...segment, text: segment.text === null ? null : '' };
    // Nothing was found in it: its text may have numbers in digits.
    if (kept.every((word, at) => word === segment.words[at])) return segment;
    return { ...segment, words: kept, text: kept.map(({ word }) => word).join(' ') };
  });
  const text = segments.flatMap((segment) => segment.text || []).join(' ');
  const known = [...(result.removed ?? []), ...removed];
  return {
    ...result,
    segments,
    text: result.text === null ? null : text,
    removed: known.toSorted((a, b) => a.start - b.start),
  };
}
