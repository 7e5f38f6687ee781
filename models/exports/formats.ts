// The export formats by name; pure.
import { metricsBody } from './metrics-body.ts';
import { toSrt, toVtt } from './subtitles.ts';
import { withRoles } from './roles.ts';
import { toCsv, toRttm, toText } from './text-formats.ts';
import { toHtml } from './report.ts';
import type { ExportedResult } from './exported-result.ts';

export interface ExportContext {
  /** Title of a report and name in RTTM. */
  readonly recording: string;
  /** Outline of the waveform, 0-1; [] without one. */
  readonly peaks: readonly number[];
  /** Names of the speakers in the order of their numbers; missing ones keep their number. */
  readonly roles: readonly string[];
}

interface Format {
  readonly mediaType: string;
  /** Shown in the help of the command line. */
  readonly purpose: string;
  readonly write: (result: ExportedResult, context: ExportContext) => string;
}

/** Writes roles instead of the speakers' numbers. */
function named(write: Format['write']): Format['write'] {
  return (result, context) => write(withRoles(result, context.roles), context);
}

/** The name is also the file extension, except for `metrics`. */
export const exportFormats = {
  srt: {
    mediaType: 'application/x-subrip; charset=utf-8',
    purpose: 'subtitles with speakers (SubRip)',
    write: named(toSrt),
  },
  vtt: {
    mediaType: 'text/vtt; charset=utf-8',
    purpose: 'subtitles with speakers (WebVTT)',
    write: named(toVtt),
  },
  txt: {
    mediaType: 'text/plain; charset=utf-8',
    purpose: 'the words, a paragraph per segment',
    write: named(toText),
  },
  rttm: {
    mediaType: 'text/plain; charset=utf-8',
    purpose: 'speaker turns (NIST)',
    write: named((result, { recording }) => toRttm(result, recording)),
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    purpose: 'a row per segment',
    write: named(toCsv),
  },
  html: {
    mediaType: 'text/html; charset=utf-8',
    purpose:
      'a page with speaker lanes, emotions, numbers and transcript; with --audio the waveform',
    write: named((result, { recording: title, peaks }) => toHtml(result, { title, peaks })),
  },
  metrics: {
    mediaType: 'application/json; charset=utf-8',
    purpose: 'who spoke how much, how fast and over whom (JSON)',
    write: (result, { roles }) => `${JSON.stringify(metricsBody(result, roles), null, 2)}\n`,
  },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof exportFormats;
