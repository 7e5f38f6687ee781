// The export formats by name; pure.
import { callMetrics } from './call-metrics.ts';
import { toSrt, toVtt } from './subtitles.ts';
import { toCsv, toRttm, toText } from './text-formats.ts';
import { toHtml } from './report.ts';
import type { ExportedResult } from './result.ts';

export interface ExportContext {
  /** Title of a report and name in RTTM. */
  readonly recording: string;
  /** Outline of the waveform, 0-1; [] without one. */
  readonly peaks: readonly number[];
}

interface Format {
  readonly mediaType: string;
  /** Shown in the help of the command line. */
  readonly purpose: string;
  readonly write: (result: ExportedResult, context: ExportContext) => string;
}

/** The name is also the file extension, except for `metrics`. */
export const exportFormats = {
  srt: {
    mediaType: 'application/x-subrip; charset=utf-8',
    purpose: 'subtitles with speakers (SubRip)',
    write: toSrt,
  },
  vtt: {
    mediaType: 'text/vtt; charset=utf-8',
    purpose: 'subtitles with speakers (WebVTT)',
    write: toVtt,
  },
  txt: {
    mediaType: 'text/plain; charset=utf-8',
    purpose: 'the words, a paragraph per segment',
    write: toText,
  },
  rttm: {
    mediaType: 'text/plain; charset=utf-8',
    purpose: 'speaker turns (NIST)',
    write: (result, { recording }) => toRttm(result, recording),
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    purpose: 'a row per segment',
    write: toCsv,
  },
  html: {
    mediaType: 'text/html; charset=utf-8',
    purpose:
      'a page with speaker lanes, emotions, numbers and transcript; with --audio the waveform',
    write: (result, { recording: title, peaks }) => toHtml(result, { title, peaks }),
  },
  metrics: {
    mediaType: 'application/json; charset=utf-8',
    purpose: 'who spoke how much, how fast and over whom (JSON)',
    write: (result) => `${JSON.stringify(callMetrics(result), null, 2)}\n`,
  },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof exportFormats;

/** Replaces `speaker_0`, `speaker_1`, ... with roles; speakers without a role keep their names. */
export function withRoles(result: ExportedResult, roles: readonly string[]): ExportedResult {
  const named = (speaker: string | null): string | null => {
    const index = /^speaker_(\d+)$/.exec(speaker ?? '')?.[1];
    return index === undefined ? speaker : (roles[Number(index)] ?? speaker);
  };
  const segments = result.segments.map((each) => ({ ...each, speaker: named(each.speaker) }));
  return { ...result, segments };
}
