// The directories of set-up: the repository, and a cache that all clones on this machine share.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * `/`, as in a container, for a user whom the system does not know: what is installed below it is
 * refused there with the variable that names another folder.
 */
export function ownHome() {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** The data of a stack: `SVC_DATA_DIR`, or a folder of the clone. */
export const dataDirectory = resolve(process.env.SVC_DATA_DIR || join(repositoryRoot, '.svc'));

/** Servers and downloaded models: `SVC_CACHE_DIR`, or a folder in the user's cache. */
export const cacheDirectory = resolve(
  process.env.SVC_CACHE_DIR ||
    join(process.env.XDG_CACHE_HOME || join(ownHome(), '.cache'), 'svc-speech'),
);

/** Model files as `<bundle>/<file>`: `SVC_MODELS_DIR`, or a folder of the cache. */
export const modelsDirectory = resolve(
  process.env.SVC_MODELS_DIR || join(cacheDirectory, 'models'),
);
