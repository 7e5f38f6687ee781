// A folder of recordings and the folder of their results: listing, hashing, journal.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileExtensions } from '../../models/contract/containers.ts';
import {
  journalLineSchema,
  type FoundFile,
  type Journal,
  type JournalBatch,
  type JournalEntry,
} from './bulk-plan.ts';

const journalName = 'journal.jsonl';

const folderProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is no folder; svc analyze takes single recordings',
  EACCES: 'may not be read',
};

export class BulkFolder {
  readonly #folder: string;
  readonly #out: string;

  constructor(folder: string, out: string) {
    this.#folder = folder;
    this.#out = out;
  }

  /**
   * Recordings in the folder, found by file extension, sorted; nothing hidden.
   * @throws when there is no such folder
   */
  async found(): Promise<readonly FoundFile[]> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(this.#folder, options).catch((cause: NodeJS.ErrnoException) => {
      const why = folderProblems[cause.code ?? ''];
      throw why === undefined ? cause : new Error(`${this.#folder} ${why}`, { cause });
    });
    const paths = entries
      .filter((entry) => entry.isFile() && fileExtensions.has(extname(entry.name).toLowerCase()))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.#folder.length))
      .map((path) =>
        path
          .replace(/^[\\/]/, '')
          .split(sep)
          .join('/'),
      )
      .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
      .toSorted((a, b) => (a < b ? -1 : 1));
    const files: FoundFile[] = [];
    for (const path of paths) files.push({ path, sha256: await this.#hash(path) });
    return files;
  }

  async #hash(path: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(this.#folder, path)), hash);
    return hash.digest('hex');
  }

  /**
   * Lines of earlier runs. What is no line of a journal is ignored, and so is a line about a result
   * whose file is missing, so that the recording is analysed again.
   */
  async journal(): Promise<Journal> {
    const path = join(this.#out, journalName);
    if (!existsSync(path)) return { entries: [], batches: [] };
    const lines = (await readFile(path, 'utf8')).split('\n').flatMap(journalLine);
    const entries = lines.filter((line) => 'outcome' in line);
    return {
      entries: entries.filter(
        ({ outcome, path: name }) =>
          outcome === 'failed' || existsSync(join(this.#out, `${name}.json`)),
      ),
      batches: lines.filter((line) => 'files' in line),
    };
  }

  async note(line: JournalEntry | JournalBatch): Promise<void> {
    await mkdir(this.#out, { recursive: true });
    await appendFile(join(this.#out, journalName), `${JSON.stringify(line)}\n`);
  }

  /** Written atomically, so that an existing result file is always complete. */
  async writeResult(path: string, result: object): Promise<void> {
    const target = join(this.#out, `${path}.json`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.part`, JSON.stringify(result));
    await rename(`${target}.part`, target);
  }
}

/** [] for a line that a crash truncated, or that another program wrote. */
function journalLine(text: string): readonly (JournalEntry | JournalBatch)[] {
  try {
    return [journalLineSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
