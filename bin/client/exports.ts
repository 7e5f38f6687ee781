// Writes a result in one of the export formats.
import { parse } from 'node:path';
import { z } from 'zod';
import { exportFormats } from '../../models/exports/formats.ts';

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

export const formatNames = Object.keys(exportFormats);

/**
 * @param peaks outline of the recording, for formats that show it
 * @throws for an unknown format, and for JSON that is not a result with segments
 */
export function exportResult(
  body: unknown,
  format: string,
  { path, peaks = [] }: { readonly path: string; readonly peaks?: readonly number[] },
): string {
  const found = Object.entries(exportFormats).find(([name]) => name === format)?.[1];
  if (!found) throw new Error(`--format takes ${formatNames.join(', ')}, not "${format}"`);
  const parsed = resultSchema.safeParse(body);
  if (!parsed.success) throw new Error(`${path} is no result with segments`);
  return found.write(parsed.data, { recording: parse(path).name, peaks });
}
