// A result for a terminal: who spoke when, what, and how sure the service is of it.
import { scoredLabels, textPieces, unsureNote } from '../../models/exports/low-confidence.ts';
import {
  spokenSegments,
  type ExportedResult,
  type ExportedSegment,
} from '../../models/exports/exported-result.ts';
import {
  clipSchema,
  proficiencySchema,
  resultSchema,
  type Check,
  type Clip,
} from './result-schema.ts';
import { clock, speedLine } from './transcript-view.ts';

/**
 * One line per segment: time, speaker, words, and emotions and styles with their scores. Words and
 * labels of low confidence are followed by `(?)`; a line before all others says when most words
 * are. Of a short clip its text or turns, and all scores.
 * @param body of any result; one of no known form is shown as it is
 */
export function resultLines(body: unknown, tookSeconds: number): readonly string[] {
  const result = resultSchema.safeParse(body).data;
  const clip = clipSchema.safeParse(body).data;
  const shown = result ?? clip;
  // It has been charged.
  if (!shown) return [JSON.stringify(body)];
  return [
    ...(result ? segmentLines(result) : clipLines(clip!)),
    ...proficiencyLines(body),
    speedLine(shown.duration, tookSeconds),
  ];
}

function segmentLines(result: ExportedResult): readonly string[] {
  const note = unsureNote(result);
  const spoken = spokenSegments(result);
  return [
    ...(note === null ? [] : [note]),
    ...(spoken.length < result.segments.length ? ['No speech was found in this recording.'] : []),
    ...spoken.map((segment) => {
      const parts = [clock(segment.start), segment.speaker, words(segment), labels(segment)];
      return parts.filter((part) => part).join('  ');
    }),
  ];
}

function clipLines({ text, segments, emotions, styles }: Clip): readonly string[] {
  const turns = segments.map(({ start, speaker, text: said }) => {
    return [clock(start), speaker, said].join('  ');
  });
  return [...(turns.length > 0 ? turns : [text]), ...labelKinds({ emotions, styles }, everyScore)];
}

/** The grades only where the check leaves them; [] for results of other tasks. */
function proficiencyLines(body: unknown): readonly string[] {
  const found = proficiencySchema.safeParse(body).data;
  if (!found) return [];
  const { check, proficiency } = found;
  const { cefr, cefr_score: cefrScore, confidence, score, components } = proficiency;
  const { fluency, fluency_score: fluencyScore } = proficiency;
  const fixed = (value: number): string => value.toFixed(2);
  const mark = check.status === 'low_confidence' ? '(?)' : '';
  const parts = Object.entries(components ?? {}).map(([name, part]) => `, ${name} ${fixed(part)}`);
  return [
    checkLine('check', check),
    ...(check.status === 'insufficient_audio'
      ? []
      : [
          `cefr: ${cefr}${mark}, cefr_score ${fixed(cefrScore)}, confidence ${fixed(confidence)}`,
          `fluency: ${fluency}${mark}, fluency_score ${fixed(fluencyScore)}`,
        ]),
    checkLine('continuous_check', proficiency.continuous_check),
    ...(score === null ? [] : [`score: ${fixed(score)}${parts.join('')}`]),
  ];
}

function checkLine(name: string, { status, reason }: Check): string {
  return `${name}: ${status}${reason ? ` (${reason})` : ''}`;
}

function words(segment: ExportedSegment): string {
  return textPieces(segment)
    .map(({ text, unsure }) => (unsure === null ? text : `${text}(?)`))
    .join('');
}

function labels(segment: ExportedSegment): string {
  const kinds = labelKinds(segment, scoredLabels);
  return kinds.length === 0 ? '' : `[${kinds.join('; ')}]`;
}

/** Of models that answer all labels: most are low, which is no doubt of the first. */
function everyScore(scores: ExportedSegment['emotions']): string {
  return scores.map(({ label, score }) => `${label} ${score.toFixed(2)}`).join(', ');
}

/** Largest first. */
function labelKinds(
  { emotions, styles }: Pick<ExportedSegment, 'emotions' | 'styles'>,
  textOf: (scores: ExportedSegment['emotions']) => string,
) {
  return Object.entries({ emotions, styles }).flatMap(([kind, scores]) => {
    const sorted = scores.toSorted((a, b) => b.score - a.score);
    return sorted.length === 0 ? [] : [`${kind}: ${textOf(sorted)}`];
  });
}
