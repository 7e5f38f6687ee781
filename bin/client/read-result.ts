// Reads a file with the result of one recording.
import { readFile } from 'node:fs/promises';
import { resultOf, type ResultFile } from './exports.ts';

/** @throws for a file that cannot be read, or is no result with segments */
export async function readResult(path: string): Promise<ResultFile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read`);
  });
  try {
    return resultOf(path, JSON.parse(text));
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`${path} is no JSON`, { cause: error }) : error;
  }
}
