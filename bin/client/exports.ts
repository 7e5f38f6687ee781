// Formats that a result can be written in.
import { parse } from 'node:path';
import { z } from 'zod';
import { callMetrics } from '../../models/exports/call-metrics.ts';
import { toHtml } from '../../models/exports/report.ts';
import { toCsv, toRttm, toSrt, toText, toVtt } from '../../models/exports/formats.ts';
import type { ExportedResult } from '../../models/exports/result.ts';

const scores = z.array(z.object({ label: z.string(), score: z.number() }));
const resultSchema = z.object({
  object: z.literal('speech.result'),
  duration: z.number(),
  segments: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      text: z.string().nullable(),
      words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })),
      speaker: z.string().nullable(),
      emotions: scores,
      styles: scores,
    }),
  ),
});

type Writer = (result: ExportedResult, recording: string, peaks: readonly number[]) => string;

const writers = {
  srt: toSrt,
  vtt: toVtt,
  txt: toText,
  rttm: toRttm,
  csv: toCsv,
  html: (result, recording, peaks) => toHtml(result, { title: recording, peaks }),
  metrics: (result) => `${JSON.stringify(callMetrics(result), null, 2)}\n`,
} as const satisfies Record<string, Writer>;

export const exportFormats = Object.keys(writers);

/**
 * @param peaks outline of the recording, for formats that show it
 * @throws for an unknown format, and for what is no result with segments
 */
export function exportResult(
  body: unknown,
  format: string,
  { path, peaks = [] }: { readonly path: string; readonly peaks?: readonly number[] },
): string {
  const write = Object.entries(writers).find(([name]) => name === format)?.[1];
  if (!write) throw new Error(`--format takes ${exportFormats.join(', ')}, not "${format}"`);
  const parsed = resultSchema.safeParse(body);
  if (!parsed.success) throw new Error(`${path} is no result with segments`);
  return (write as Writer)(parsed.data, parse(path).name, peaks);
}
