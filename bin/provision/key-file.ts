// The file for the first key, made before the first step: a key that cannot be written is lost.
import fs from 'node:fs';

export interface KeyFile {
  /** @throws when the file was there before: others may read it, or it holds another key */
  requireNew(): void;
  write(key: string): void;
  /** Removes it unless a key was written. */
  close(): void;
}

/** Reserves a file that only its owner may read. @throws when it cannot be made */
export function reserveKeyFile(path: string): KeyFile {
  const file = openNew(path);
  let isWritten = false;
  const requireNew = (): void => {
    if (file === null) throw new Error(`${path} is there already: name a new file for the key`);
  };
  return {
    requireNew,
    write(key) {
      requireNew();
      fs.writeFileSync(file!, `${key}\n`);
      fs.fsyncSync(file!);
      isWritten = true;
    },
    close() {
      if (file === null) return;
      fs.closeSync(file);
      if (!isWritten) fs.rmSync(path, { force: true });
    },
  };
}

/** Null when it exists, as it does when set-up is repeated. */
function openNew(path: string): number | null {
  try {
    return fs.openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw new Error(`the key cannot be written to ${path}`, { cause: error });
  }
}
