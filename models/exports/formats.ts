// Writes a result in the formats of other programs: SubRip, WebVTT, text, RTTM, CSV; pure.
import { toCues } from './cues.ts';
import type { ExportedResult } from './result.ts';

/** SubRip: numbered cues, commas before the milliseconds, `speaker:` before the words. */
export function toSrt(result: ExportedResult): string {
  return toCues(result)
    .map(({ start, end, speaker, lines }, i) => {
      const spoken = [...lines];
      if (speaker !== null) spoken[0] = `${speaker}: ${spoken[0]}`;
      return `${i + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${spoken.join('\n')}\n`;
    })
    .join('\n');
}

/** WebVTT (W3C): voices as `<v speaker>`. */
export function toVtt(result: ExportedResult): string {
  const cues = toCues(result).map(({ start, end, speaker, lines }) => {
    const text = lines.map(escapeVtt).join('\n');
    const voiced = speaker === null ? text : `<v ${speaker}>${text}`;
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${voiced}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** A paragraph per segment, the speaker before it. */
export function toText({ segments }: ExportedResult): string {
  const lines = segments
    .filter(({ text }) => text)
    .map(({ speaker, text }) => (speaker === null ? text : `${speaker}: ${text}`));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/**
 * RTTM (NIST): a line per turn, seconds with three decimals; [] without speakers.
 * @param recording name of the recording, without blanks
 */
export function toRttm({ segments }: ExportedResult, recording: string): string {
  const name = recording.replaceAll(/\s+/g, '_');
  return segments
    .filter(({ speaker }) => speaker !== null)
    .map(({ start, end, speaker }) => {
      const times = `${start.toFixed(3)} ${(end - start).toFixed(3)}`;
      return `SPEAKER ${name} 1 ${times} <NA> <NA> ${speaker} <NA> <NA>\n`;
    })
    .join('');
}

const csvHead = ['start', 'end', 'speaker', 'text', 'emotions', 'styles'];

/** CSV (RFC 4180): a row per segment; labels are joined by semicolons, most likely first. */
export function toCsv({ segments }: ExportedResult): string {
  const labels = (scores: readonly { readonly label: string }[]): string =>
    scores.map(({ label }) => label).join(';');
  const rows = segments.map(({ start, end, speaker, text, emotions, styles }) => [
    start.toFixed(3),
    end.toFixed(3),
    speaker ?? '',
    text ?? '',
    labels(emotions),
    labels(styles),
  ]);
  return [csvHead, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** Prefixes a quote to a cell that a spreadsheet would evaluate as a formula. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** hh:mm:ss and milliseconds. */
function clock(seconds: number, separator: ',' | '.'): string {
  const total = Math.round(seconds * 1_000);
  const part = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const [hours, minutes] = [Math.floor(total / 3_600_000), Math.floor(total / 60_000) % 60];
  const rest = `${part(Math.floor(total / 1_000) % 60, 2)}${separator}${part(total % 1_000, 3)}`;
  return `${part(hours, 2)}:${part(minutes, 2)}:${rest}`;
}
