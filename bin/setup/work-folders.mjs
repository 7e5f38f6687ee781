// Folders of the cache that are filled before they are renamed to what others look for.
import fs from 'node:fs';
import { join } from 'node:path';

/** Names of those that a power cut leaves behind. */
const unfinished = /^\.(pull|install|build)-/;
/** No download takes so long. */
const abandonedMs = 86_400_000;

/**
 * Fills a new folder, which is removed at the end unless `fill` renames it: by an error, by a
 * signal (`exitOnSignals`), or when all is done.
 * @param {string} prefix path to which a random end is added
 * @param {(folder: string) => Promise<T>} fill
 * @template T
 */
export async function inWorkFolder(prefix, fill) {
  const folder = fs.mkdtempSync(prefix);
  // A program that was told to end may still write.
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.once('exit', remove);
  try {
    return await fill(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Removes what was left unfinished and is nobody's work by now. @param {string} parent */
export function removeAbandoned(parent) {
  if (!fs.existsSync(parent)) return;
  for (const name of fs.readdirSync(parent).filter((each) => unfinished.test(each))) {
    const path = join(parent, name);
    try {
      if (Date.now() - fs.statSync(path).mtimeMs < abandonedMs) continue;
      fs.rmSync(path, { recursive: true, force: true });
    } catch {
      // Another set-up was faster, or it is another user's: nothing that a start depends on.
    }
  }
}
