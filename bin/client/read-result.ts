// Reads files with results: of one recording, or the lines of `svc analyze --json`.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { unreadableReason } from './bulk-folder.ts';
import { resultOf, type ResultFile } from './exports.ts';

const lineSchema = z.object({ file: z.string() });
const failedSchema = lineSchema.extend({ error: z.looseObject({ message: z.string() }) });

/** @throws for a file that cannot be read, or is no result with segments of one recording */
export async function readResult(path: string): Promise<ResultFile> {
  return onlyOne(path, (await readResults(path)).results);
}

/** @throws for a file that cannot be read, is no JSON, or has more than one document */
export async function readBody(path: string): Promise<unknown> {
  return onlyOne(path, await readBodies(path));
}

function onlyOne<T>(path: string, all: readonly T[]): T {
  if (all.length === 1) return all[0]!;
  throw new Error(`${path} has the results of ${all.length} recordings; name a file of one`);
}

export interface ReadResults {
  readonly results: readonly ResultFile[];
  /** A message for each recording of the file that has no result. */
  readonly failures: readonly string[];
}

/** @throws for a file that cannot be read, or of which a line is no result with segments */
export async function readResults(path: string): Promise<ReadResults> {
  const bodies = await readBodies(path);
  const failures: string[] = [];
  const results = bodies.flatMap((body) => {
    const failed = failedSchema.safeParse(body).data;
    if (failed) failures.push(`${failed.file}: ${failed.error.message}`);
    return failed ? [] : [named(resultOf(path, body), body)];
  });
  return { results, failures };
}

/** One document, or one in each line. */
async function readBodies(path: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${unreadableReason(path, error)}`);
  });
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line, i): unknown => {
      try {
        return JSON.parse(line);
      } catch (error) {
        throw new Error(`${path} is no JSON${i > 0 ? `: line ${i + 1}` : ''}`, { cause: error });
      }
    });
  }
}

/** A line says of which recording it is, unlike a file that is named after it. */
function named(result: ResultFile, body: unknown): ResultFile {
  const { file } = lineSchema.safeParse(body).data ?? {};
  if (file === undefined) return result;
  return { ...result, path: file, recording: basename(file) };
}
