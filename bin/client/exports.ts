// Writes results in one of the export formats: one document, or one per recording.
import { dirname, parse, relative, resolve, sep } from 'node:path';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import { metricsBody } from '../../models/exports/metrics-body.ts';
import type { ExportedResult } from '../../models/exports/exported-result.ts';
import { roleOf, withRoles } from '../../models/exports/roles.ts';
import { toCsvOfFiles } from '../../models/exports/text-formats.ts';
import { callSchema, resultSchema } from './result-schema.ts';

export const formatNames = Object.keys(exportFormats);

/** A result of `svc analyze --json` or `svc bulk`. */
export interface ResultFile {
  readonly path: string;
  /** Name of the recording. */
  readonly recording: string;
  readonly result: ExportedResult;
  /** Names of the speakers in the order of their numbers; [] without roles of channels. */
  readonly roles: readonly string[];
  /** By speaker, as measured with the recording; null when it was not. */
  readonly loudnessDbfs: ReadonlyMap<string, number | null>;
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
  const call = callSchema.safeParse(body);
  if (!parsed.success || !call.success) throw new Error(`${path} is no result with segments`);
  const { channels, metrics } = call.data;
  return {
    ...{ path, recording: recordingOf(path), result: parsed.data },
    roles: channels?.map(({ role, speaker }) => role ?? speaker) ?? [],
    loudnessDbfs: new Map(
      metrics?.speakers.map(({ speaker, loudness_dbfs: level }) => [speaker, level]),
    ),
  };
}

/** @param peaks outline of the recording, for formats that show it */
export function exportOne(
  file: ResultFile,
  format: ExportFormat,
  peaks: readonly number[] = [],
): string {
  const { recording, result, roles } = file;
  if (format === 'metrics') return `${JSON.stringify(metricsOf(file), null, 2)}\n`;
  return exportFormats[format].write(result, { recording, peaks, roles });
}

/** Loudness is that of the result file, because it is measured with the recording. */
function metricsOf({ result, roles, loudnessDbfs }: ResultFile) {
  const body = metricsBody(result, roles);
  const levelOf = (name: string): number | null => {
    const own = [...loudnessDbfs].filter(([speaker]) => roleOf(speaker, roles) === name);
    // Levels of several speakers of one role do not tell that of all of them.
    return own.length === 1 ? own[0]![1] : null;
  };
  return {
    ...body,
    speakers: body.speakers.map((each) => ({ ...each, loudness_dbfs: levelOf(each.speaker) })),
  };
}

/**
 * One document of several recordings.
 * @throws for a format that has one document per recording
 */
export function exportTogether(files: readonly ResultFile[], format: ExportFormat): string {
  switch (format) {
    case 'csv':
      return toCsvOfFiles(
        files.map(({ recording, result, roles }) => {
          return { file: recording, result: withRoles(result, roles) };
        }),
      );
    case 'rttm':
      return files.map((file) => exportOne(file, format)).join('');
    case 'metrics': {
      const all = files.map((file) => ({ file: file.recording, ...metricsOf(file) }));
      return `${JSON.stringify(all, null, 2)}\n`;
    }
    default:
      throw new Error(
        `${format} is one document per recording: give --out FOLDER, or one result at a time`,
      );
  }
}

/** Name of the document of one result; with folders where the recording's name has them. */
export function documentName({ recording }: ResultFile, format: ExportFormat): string {
  return `${recording}.${format === 'metrics' ? 'metrics.json' : format}`;
}

/** Folders are part of the names, from the one that has all results, where two have the same. */
export function toldApart(files: readonly ResultFile[]): readonly ResultFile[] {
  const names = new Set(files.map(({ recording }) => recording));
  if (names.size === files.length) return files;
  const folders = files.map(({ path }) => dirname(resolve(path)));
  const common = folders.reduce(commonFolder);
  return files.map((file, i) => {
    const below = relative(common, folders[i]!).split(sep);
    return { ...file, recording: [...below, file.recording].filter(Boolean).join('/') };
  });
}

function commonFolder(one: string, other: string): string {
  const parts = other.split(sep);
  const same = one.split(sep).findIndex((part, i) => part !== parts[i]);
  return same < 0 ? one : parts.slice(0, same).join(sep) || sep;
}

/** `results/call.mp3.json` is the result of `call.mp3`. */
function recordingOf(path: string): string {
  return parse(path).name;
}
