// Writes a result as text, RTTM or CSV: one line per segment; pure.
import { isUnsure } from './low-confidence.ts';
import type { ExportedResult, ExportedSegment } from './exported-result.ts';

/** A paragraph per segment, the speaker before it. */
export function toText({ segments }: ExportedResult): string {
  const lines = segments
    .filter(({ text }) => text)
    .map(({ speaker, text }) => (speaker === null ? text : `${speaker}: ${text}`));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/**
 * RTTM (NIST): a line per turn, seconds with three decimals; [] without speakers.
 * Fields end at blanks, so names have underscores instead.
 */
export function toRttm({ segments }: ExportedResult, recording: string): string {
  return segments
    .filter(({ speaker }) => speaker !== null)
    .map(({ start, end, speaker }) => {
      const times = `${start.toFixed(3)} ${(end - start).toFixed(3)}`;
      const [name, who] = [recording, speaker!].map(rttmField);
      return `SPEAKER ${name} 1 ${times} <NA> <NA> ${who} <NA> <NA>\n`;
    })
    .join('');
}

function rttmField(name: string): string {
  return name.replaceAll(/\s+/g, '_');
}

const csvHead = [
  ...['start', 'end', 'speaker', 'text', 'emotions', 'emotion_scores', 'styles', 'style_scores'],
  'low_confidence_words',
];

/**
 * CSV (RFC 4180): a row per segment. Labels, their scores, and words of low confidence are joined
 * by semicolons; labels are most likely first.
 */
export function toCsv(result: ExportedResult): string {
  return toTable([csvHead, ...csvRows(result)]);
}

/** One table of several recordings, whose first column names them. */
export function toCsvOfFiles(
  results: readonly { readonly file: string; readonly result: ExportedResult }[],
): string {
  const rows = results.flatMap(({ file, result }) => csvRows(result).map((row) => [file, ...row]));
  return toTable([['file', ...csvHead], ...rows]);
}

function csvRows({ segments }: ExportedResult): readonly (readonly string[])[] {
  const labels = (scores: ExportedSegment['emotions']): string =>
    scores.map(({ label }) => label).join(';');
  const values = (scores: ExportedSegment['emotions']): string =>
    scores.map(({ score }) => score.toFixed(2)).join(';');
  return segments.map(({ start, end, speaker, text, words, emotions, styles }) => [
    start.toFixed(3),
    end.toFixed(3),
    speaker ?? '',
    text ?? '',
    labels(emotions),
    values(emotions),
    labels(styles),
    values(styles),
    words
      .filter(isUnsure)
      .map(({ word }) => word)
      .join(';'),
  ]);
}

/** @param rows of text; the first one is the header */
export function toTable(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** Prefixes a quote to a cell that a spreadsheet would evaluate as a formula. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
