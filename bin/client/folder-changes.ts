// Waits until files in a folder have changed and are not being written any more.
import { accessSync, constants, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { isOfResults } from './result-files.ts';

export interface ChangeOptions {
  readonly quietMs: number;
  readonly signal: AbortSignal;
  /** Folder of the results, which do not count. */
  readonly out: string;
}

/**
 * Resolves once something in the folder has changed and nothing has for `quietMs`, or when the
 * signal is aborted.
 */
export function folderChange(
  folder: string,
  { quietMs, signal, out }: ChangeOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve();
    let quiet: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(quiet);
      watcher.close();
      resolve();
    };
    // What may not be read cannot be watched either, and would end the watching of all others.
    const ignore = (name: string): boolean => !isReadable(join(folder, name));
    const watcher = watch(folder, { recursive: true, ignore }, (_, name) => {
      const path = join(folder, name ?? '');
      // What is hidden is no recording: so are results that are being written.
      if (basename(path).startsWith('.') || isOfResults(path, { folder, out })) return;
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    });
    watcher.on('error', reject);
    signal.addEventListener('abort', end, { once: true });
  });
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
