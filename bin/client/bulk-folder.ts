// A folder of recordings and the folder of their results: finding, hashing, journal.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FoundFile, JournalEntry } from './bulk-plan.ts';

const extensions = new Set(['.wav', '.flac', '.mp3', '.m4a', '.mp4', '.ogg', '.opus', '.webm']);
const journalName = 'journal.jsonl';

/** Recordings below a folder by their names' endings, sorted, without their hashes yet. */
export async function findRecordings(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.has(extname(entry.name).toLowerCase()))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length)
        .replace(/^[\\/]/, ''),
    )
    .map((path) => path.split(sep).join('/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

export async function hashFile(folder: string, path: string): Promise<FoundFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, sha256: hash.digest('hex') };
}

/** Lines of earlier runs; a line that a crash cut off is left out. */
export async function readJournal(out: string): Promise<readonly JournalEntry[]> {
  const path = join(out, journalName);
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}

export async function appendJournal(out: string, entry: JournalEntry): Promise<void> {
  await mkdir(out, { recursive: true });
  await appendFile(join(out, journalName), `${JSON.stringify(entry)}\n`);
}

/** Written whole or not at all: a result file that is there can be trusted. */
export async function writeResult(out: string, path: string, result: object): Promise<void> {
  const target = join(out, `${path}.json`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.part`, JSON.stringify(result));
  await rename(`${target}.part`, target);
}

export function hasResult(out: string, path: string): boolean {
  return existsSync(join(out, `${path}.json`));
}
