// Which files of a folder are being written, and when one of them has come to rest.
import { accessSync, constants, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { isOfResults } from './result-files.ts';

export interface ChangeOptions {
  readonly quietMs: number;
  readonly signal: AbortSignal;
  /** Folder of the results, which do not count. */
  readonly out: string;
}

export interface FolderChanges {
  /**
   * Resolves once a file has changed and has then been still for `quietMs`, since the watching
   * began or this last resolved; also when the signal is aborted.
   * @throws when the folder cannot be watched any more
   */
  readonly rested: () => Promise<void>;
  /** Whether the file has changed within `quietMs`. @param path relative to the folder */
  readonly isMoving: (path: string) => boolean;
}

/** Watches until the signal is aborted. @throws when the folder cannot be watched */
export function watchFolder(
  folder: string,
  { quietMs, signal, out }: ChangeOptions,
): FolderChanges {
  const moving = new Map<string, NodeJS.Timeout>();
  let rest = unheard();
  // What may not be read cannot be watched either, and would end the watching of all others.
  const ignore = (name: string): boolean => !isReadable(join(folder, name));
  const watcher = watch(folder, { recursive: true, ignore }, (_, name) => {
    const path = join(folder, name ?? '');
    // What is hidden is no recording: so are results that are being written.
    if (basename(path).startsWith('.') || isOfResults(path, { folder, out })) return;
    clearTimeout(moving.get(path));
    const still = (): void => {
      moving.delete(path);
      rest.resolve();
    };
    moving.set(path, setTimeout(still, quietMs));
  });
  watcher.on('error', (error) => rest.reject(error));
  const end = (): void => {
    watcher.close();
    for (const timer of moving.values()) clearTimeout(timer);
    rest.resolve();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return {
    rested: async () => {
      await rest.promise;
      if (!signal.aborted) rest = unheard();
    },
    isMoving: (path) => moving.has(join(folder, path)),
  };
}

/** An error is told to who asks next, and to nobody before. */
function unheard(): PromiseWithResolvers<void> {
  const resolvers = Promise.withResolvers<void>();
  resolvers.promise.catch(() => {});
  return resolvers;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
