// Writes a result in one of the export formats.
import { parse } from 'node:path';
import { exportFormats } from '../../models/exports/formats.ts';
import { resultSchema } from './result-schema.ts';

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
  return found.write(parsed.data, { recording: parse(path).name, peaks, roles: [] });
}
