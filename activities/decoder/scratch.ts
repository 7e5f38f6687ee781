// The only folder that a decoder process can read, besides code: the upload of its job, no more.
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Scratch {
  readonly directory: string;
  /** Gives the folder to the user of the process. */
  chownTo(user: number): void;
  /** Puts a file there. @returns its path, the same inside and outside of the sandbox */
  put(file: string): Promise<string>;
  /** Takes the file away. */
  clear(): Promise<void>;
  /** Removes the folder. */
  remove(): void;
}

/** @param parent a folder on the file system of the uploads: they are linked, not copied */
export function createScratch(parent: string): Scratch {
  const directory = mkdtempSync(join(parent, 'svc-decoder-'));
  const upload = join(directory, 'upload');
  return {
    directory,
    chownTo: (user) => chownSync(directory, user, user),
    put: async (file) => {
      await link(file, upload).catch(() => copyFile(file, upload));
      // Of another user, who alone reaches the folder.
      await chmod(upload, 0o444);
      return upload;
    },
    clear: () => rm(upload, { force: true }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
