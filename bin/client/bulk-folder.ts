// A folder of recordings and the folder of their results: listing, hashing, journal.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, type Dirent } from 'node:fs';
import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
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
import { isOfResults, journalName, resultName } from './result-files.ts';

/** Of a file, on most systems. */
const maxNameBytes = 255;

const folderProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is no folder; svc analyze takes single recordings',
  EACCES: 'may not be read',
};

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files and folders, each with its reason; the others are analysed. */
  readonly unreadable: readonly UnreadableFile[];
  /** Paths of other files and of links to folders; results are not among them. */
  readonly leftOut: readonly string[];
}

export interface UnreadableFile {
  readonly path: string;
  readonly message: string;
}

/** The entries of the folder itself. @throws Error that says why there are none to be had */
export function listFolder(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const why = folderProblems[error.code ?? ''];
    throw why === undefined ? error : new Error(`${folder} ${why}`);
  });
}

export class BulkFolder {
  readonly #folder: string;
  readonly #out: string;
  readonly #isMoving: (path: string) => boolean;
  /** Ends a line that was cut short, so that the next one is read back. */
  #lineEnd = '';

  /** @param isMoving whether a file is being written, by its path relative to the folder */
  constructor(folder: string, out: string, isMoving: (path: string) => boolean = () => false) {
    this.#folder = folder;
    this.#out = out;
    this.#isMoving = isMoving;
  }

  /**
   * Recordings in the folder, found by file extension, sorted; nothing hidden, and none that is
   * being written.
   * @throws when there is no such folder
   */
  async found(): Promise<FoundFiles> {
    const top = await listFolder(this.#folder);
    const unreadable: UnreadableFile[] = [];
    const leftOut: string[] = [];
    const paths: string[] = [];
    const around = { folder: this.#folder, out: this.#out };
    // Not Node's recursive listing, which ends at the first folder that may not be read.
    const collect = async (entries: readonly Dirent[], parent: string): Promise<void> => {
      for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
        const path = `${parent}${entry.name}`;
        const full = join(this.#folder, path);
        if (!entry.isDirectory()) {
          const isRecording = fileExtensions.has(extname(path).toLowerCase());
          if (isRecording && (await isFile(entry, full))) paths.push(path);
          else if (!isOfResults(full, around)) leftOut.push(path);
          continue;
        }
        await readdir(full, { withFileTypes: true }).then(
          (within) => collect(within, `${path}/`),
          (error: unknown) => unreadable.push({ path, message: unreadableReason(path, error) }),
        );
      }
    };
    await collect(top, '');
    const files: FoundFile[] = [];
    for (const path of paths.toSorted((a, b) => (a < b ? -1 : 1))) {
      const hashed = await this.#hash(path).then(
        (sha256) => ({ sha256 }),
        (error: unknown) => ({ message: unreadableReason(path, error) }),
      );
      // Also of one that has begun to change meanwhile.
      if (this.#isMoving(path)) continue;
      if ('sha256' in hashed) files.push({ path, ...hashed });
      else unreadable.push({ path, ...hashed });
    }
    return { files, unreadable, leftOut };
  }

  /** @throws for what cannot be read, or has a name beside which that of its result is too long */
  async #hash(path: string): Promise<string> {
    if (Buffer.byteLength(basename(resultName(path))) > maxNameBytes)
      throw new Error('the name is too long for that of its result; rename it');
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
          outcome === 'failed' || existsSync(join(this.#out, resultName(name))),
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

  /**
   * Written atomically, so that an existing result file is always complete, also where two runs
   * write the same one.
   */
  async writeResult(path: string, result: object): Promise<void> {
    const target = join(this.#out, resultName(path));
    const part = join(dirname(target), `.${randomUUID()}.part`);
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

/** Links are followed; one that leads nowhere is a file that cannot be read. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(path).then(
    (target) => target.isFile(),
    () => true,
  );
}

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
