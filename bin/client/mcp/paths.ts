// Files of this machine that tools read and write.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { recordingFrom } from '../../../clients/typescript/src/node.ts';
import type { NamedRecording } from '../../../clients/typescript/src/recording.ts';
import { filenameOfSource } from '../../../models/contract/source.ts';
import { customIdOf } from '../bulk-plan.ts';

export const outPath = z
  .string()
  .min(1)
  .optional()
  .describe('Absolute path of a file to write instead of answering with its content; must be new.');

/** @throws when there is no file at the path */
export async function readRecording(path: string): Promise<NamedRecording> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new Error(`${path}: there is no such file`);
  if (!found.isFile()) throw new Error(`${path} is no file; name the recordings one by one`);
  return recordingFrom(path);
}

/**
 * Nothing that exists is written over: a path comes from a model, which may be mistaken. An empty
 * file holds nothing, and a call that was killed leaves one where its result was to be.
 * @throws when the file exists
 */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    const found = await stat(path).catch(() => null);
    const isEmpty = found?.isFile() === true && found.size === 0;
    if (!isEmpty) throw new Error(`${path} exists; choose a new file`);
    await writeFile(path, text);
  });
}

/**
 * A name for each recording: its file's, numbered where several have the same.
 * @param places paths and addresses
 */
export function namesOf(places: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return places.map((place) => {
    // Without the query of an address, which may be signed.
    const name = isAddress(place) ? filenameOfSource(new URL(place)) : basename(place);
    let free = customIdOf(name);
    for (let i = 2; taken.has(free); i += 1) free = customIdOf(`${name} (${i})`);
    taken.add(free);
    return free;
  });
}

function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place) && URL.canParse(place);
}
