// Writes results in one of the export formats: one document, or one per recording.
import { parse } from 'node:path';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import { metricsBody } from '../../models/exports/metrics-body.ts';
import type { ExportedResult } from '../../models/exports/result.ts';
import { toCsvOfFiles } from '../../models/exports/text-formats.ts';
import { resultSchema } from './result-schema.ts';

export const formatNames = Object.keys(exportFormats);

/** A result of `svc analyze --json` or `svc bulk`. */
export interface ResultFile {
  readonly path: string;
  readonly result: ExportedResult;
}

/** @throws for a name that is none */
export function requireFormat(name: string): ExportFormat {
  if (Object.hasOwn(exportFormats, name)) return name as ExportFormat;
  throw new Error(`--format takes ${formatNames.join(', ')}, not "${name}"`);
}

/**
 * @param body JSON of the file
 * @throws unless it is a result with segments
 */
export function resultOf(path: string, body: unknown): ResultFile {
  const { result = body } = body as { readonly result?: unknown };
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) throw new Error(`${path} is no result with segments`);
  return { path, result: parsed.data };
}

/** @param peaks outline of the recording, for formats that show it */
export function exportOne(
  { path, result }: ResultFile,
  format: ExportFormat,
  peaks: readonly number[] = [],
): string {
  return exportFormats[format].write(result, { recording: recordingOf(path), peaks, roles: [] });
}

/**
 * One document of several recordings.
 * @throws for a format that has one document per recording
 */
export function exportTogether(files: readonly ResultFile[], format: ExportFormat): string {
  switch (format) {
    case 'csv':
      return toCsvOfFiles(files.map(({ path, result }) => ({ file: recordingOf(path), result })));
    case 'rttm':
      return files.map((file) => exportOne(file, format)).join('');
    case 'metrics': {
      const all = files.map(({ path, result }) => {
        return { file: recordingOf(path), ...metricsBody(result, []) };
      });
      return `${JSON.stringify(all, null, 2)}\n`;
    }
    default:
      throw new Error(
        `${format} is one document per recording: give --out FOLDER, or one result at a time`,
      );
  }
}

/** Name of the document of one result. */
export function documentName(path: string, format: ExportFormat): string {
  return `${recordingOf(path)}.${format === 'metrics' ? 'metrics.json' : format}`;
}

/** `results/call.mp3.json` is the result of `call.mp3`. */
function recordingOf(path: string): string {
  return parse(path).name;
}
