// The only folder besides code that a decoder process can read; it holds the upload of its job.
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Scratch {
  readonly directory: string;
  /** Gives ownership of the folder to the user of the process. */
  chownTo(user: number): void;
  /** Puts a file there. @returns its path, which is the same inside and outside of the sandbox */
  put(file: string): Promise<string>;
  /** Removes the file. */
  clear(): Promise<void>;
  /** Removes the folder. */
  remove(): void;
}

/** @param parent a folder on the file system of the uploads, which are linked rather than copied */
export function createScratch(parent: string): Scratch {
  const directory = mkdtempSync(join(parent, 'svc-decoder-'));
  const upload = join(directory, 'upload');
  return {
    directory,
    chownTo: (user) => chownSync(directory, user, user),
    put: async (file) => {
      await link(file, upload).catch(() => copyFile(file, upload));
      // The file belongs to another user, but only the decoder's user can enter the folder.
      await chmod(upload, 0o444);
      return upload;
    },
    clear: () => rm(upload, { force: true }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
