// Copies a folder in which others write meanwhile: what goes away before it is read was not there.
import fs from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes the target. Times and rights of files and folders are kept.
 * @param skip of the folder's own entries; an entry that is skipped is left out with all below it
 */
export async function copyTree(
  from: string,
  to: string,
  skip: readonly string[] = [],
): Promise<void> {
  const { mode } = await fs.stat(from);
  await fs.mkdir(to, { recursive: true, mode });
  for (const entry of await fs.readdir(from, { withFileTypes: true })) {
    if (skip.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const copied = entry.isDirectory() ? copyTree(source, target) : copyFile(source, target);
    await copied.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

async function copyFile(source: string, target: string): Promise<void> {
  const { atime, mtime, mode } = await fs.stat(source);
  await fs.copyFile(source, target);
  await fs.chmod(target, mode);
  await fs.utimes(target, atime, mtime);
}
