// A folder of recordings and the folder of their results: listing, hashing, journal.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, type Dirent } from 'node:fs';
import { appendFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
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

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files and folders, each with its reason; the others are analysed. */
  readonly unreadable: readonly UnreadableFile[];
}

export interface UnreadableFile {
  readonly path: string;
  readonly message: string;
}

export class BulkFolder {
  readonly #folder: string;
  readonly #out: string;
  /** Ends a line that was cut short, so that the next one is read back. */
  #lineEnd = '';

  constructor(folder: string, out: string) {
    this.#folder = folder;
    this.#out = out;
  }

  /**
   * Recordings in the folder, found by file extension, sorted; nothing hidden.
   * @throws when there is no such folder
   */
  async found(): Promise<FoundFiles> {
    const top = await readdir(this.#folder, { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        const why = folderProblems[error.code ?? ''];
        throw why === undefined ? error : new Error(`${this.#folder} ${why}`);
      },
    );
    const unreadable: UnreadableFile[] = [];
    const paths: string[] = [];
    // Not Node's recursive listing, which ends at the first folder that may not be read.
    const collect = async (entries: readonly Dirent[], parent: string): Promise<void> => {
      for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
        const path = `${parent}${entry.name}`;
        if (entry.isFile() && fileExtensions.has(extname(path).toLowerCase())) paths.push(path);
        if (!entry.isDirectory()) continue;
        await readdir(join(this.#folder, path), { withFileTypes: true }).then(
          (within) => collect(within, `${path}/`),
          (error: unknown) => unreadable.push({ path, message: unreadableReason(path, error) }),
        );
      }
    };
    await collect(top, '');
    const files: FoundFile[] = [];
    for (const path of paths.toSorted((a, b) => (a < b ? -1 : 1))) {
      await this.#hash(path).then(
        (sha256) => files.push({ path, sha256 }),
        (error: unknown) => unreadable.push({ path, message: unreadableReason(path, error) }),
      );
    }
    return { files, unreadable };
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
    const text = await readFile(path, 'utf8');
    this.#lineEnd = text === '' || text.endsWith('\n') ? '' : '\n';
    const lines = text.split('\n').flatMap(journalLine);
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
    const path = join(this.#out, journalName);
    const text = `${this.#lineEnd}${JSON.stringify(line)}\n`;
    this.#lineEnd = '';
    await makeFolder(this.#out)
      .then(() => appendFile(path, text))
      .catch(rejectUnwritable(path));
  }

  /** Written atomically, so that an existing result file is always complete. */
  async writeResult(path: string, result: object): Promise<void> {
    const target = join(this.#out, `${path}.json`);
    const part = `${target}.part`;
    try {
      await makeFolder(dirname(target));
      await writeFile(part, JSON.stringify(result));
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      rejectUnwritable(target)(error as NodeJS.ErrnoException);
    }
  }
}

/** Where the service has codes of its own. */
export const unreadableCode = 'unreadable_file';

/** Why a recording cannot be read. */
export function unreadableReason(path: string, error: unknown): string {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  // What Node puts in the place of other bytes.
  if (code === 'ENOENT' && path.includes('\uFFFD')) return 'the name is not UTF-8; rename it';
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/** Not Node's recursive `mkdir`, which never returns where a folder takes none, as /proc. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** What has been analysed is not lost: the service keeps it until it is written. */
function rejectUnwritable(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ errno, message }) => {
    const why = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new Error(`${path} cannot be written (${why}); once it can, the same command goes on`);
  };
}

/** [] for a line that a crash truncated, or that another program wrote. */
function journalLine(text: string): readonly (JournalEntry | JournalBatch)[] {
  try {
    return [journalLineSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
