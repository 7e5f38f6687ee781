// The directories of set-up: the repository, and a cache that all clones on this machine share.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * `/`, as in a container, for a user whom the system does not know: what is installed below it is
 * refused there with the variable that names another folder.
 */
function ownHome() {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/**
 * The data of a stack: `SVC_DATA_DIR`, or a folder of the clone.
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function dataDirectoryOf(env) {
  return resolve(env.SVC_DATA_DIR || join(repositoryRoot, '.svc'));
}

/**
 * Servers and downloaded models: `SVC_CACHE_DIR`, or a folder in the user's cache.
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function cacheDirectoryOf(env) {
  const { SVC_CACHE_DIR, XDG_CACHE_HOME } = env;
  return resolve(SVC_CACHE_DIR || join(XDG_CACHE_HOME || join(ownHome(), '.cache'), 'svc-speech'));
}

/**
 * Where set-up installs models without `SVC_MODELS_DIR`.
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function defaultModelsDirectory(env) {
  return join(cacheDirectoryOf(env), 'models');
}

export const dataDirectory = dataDirectoryOf(process.env);
export const cacheDirectory = cacheDirectoryOf(process.env);

/** Model files as `<bundle>/<file>`. */
export const modelsDirectory = resolve(
  process.env.SVC_MODELS_DIR || defaultModelsDirectory(process.env),
);

/** What the repository knows of each bundle that is pulled. */
export const bundlesDirectory = join(repositoryRoot, 'models', 'bundles', 'manifests');

/**
 * Whether a folder of models has any: one that is pulled, or one with a manifest of its own.
 * @param {string} folder
 * @returns {boolean} false where it is no folder
 */
export function hasBundle(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder).some(
    (name) =>
      existsSync(join(bundlesDirectory, `${name}.json`)) ||
      existsSync(join(folder, name, 'manifest.json')),
  );
}
