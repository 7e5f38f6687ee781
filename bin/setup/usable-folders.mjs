// Folders that set-up and the service cannot work with, found before anything is installed.
import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { cacheDirectory, dataDirectory, modelsDirectory, repositoryRoot } from './directories.mjs';
import { SetupError } from './processes.mjs';

/** Shells of PostgreSQL's tools read the first four, the bundler of the workflows the others. */
const unusable = ['"', '$', '`', '\\', '?', '!'];

/** @throws SetupError for a clone whose path some part cannot work with */
export function requireUsablePath(path = repositoryRoot) {
  const found = unusable.filter((character) => path.includes(character));
  if (found.length === 0) return;
  throw new SetupError(
    `the path of this clone has ${found.join(' and ')}, which PostgreSQL's tools or the bundler ` +
      `of the workflows cannot work with: move it from ${path} to another folder`,
  );
}

/** @throws SetupError where there is no folder for temporary files */
export function requireTemporaryFolder() {
  if (existsSync(tmpdir())) return;
  throw new SetupError(
    `TMPDIR is ${tmpdir()}, and no such folder exists: make it, or unset TMPDIR`,
  );
}

/**
 * Set-up installs models in an empty folder, as in a new volume, but it would do so in one that is
 * mistyped too.
 * @param folder of `SVC_MODELS_DIR`
 * @throws SetupError unless it exists
 */
export function requireModelsFolder(folder = process.env.SVC_MODELS_DIR) {
  if (!folder || existsSync(folder)) return;
  throw new SetupError(
    `SVC_MODELS_DIR is ${folder}, which does not exist: correct or unset it, or make the folder, ` +
      'in which models are then installed',
  );
}

/** @throws SetupError when the stack could not write its data */
export function requireDataFolder() {
  requireWritable(dataDirectory, 'set SVC_DATA_DIR to another folder');
}

/** @throws SetupError when the folder, or the one in which it would be made, cannot be written */
export function requireWritable(folder, instead) {
  let at = folder;
  while (!existsSync(at)) at = dirname(at);
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
  } catch ({ code }) {
    throw notWritable({ path: at, code }, instead);
  }
}

/** What a step says that could not write. @returns {SetupError | null} null for another error */
export function describeDenied(error) {
  const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(error?.code);
  if (!isDenied || error.path === undefined) return null;
  const isIn = (folder) => error.path.startsWith(folder);
  const variable = isIn(cacheDirectory)
    ? 'SVC_CACHE_DIR'
    : isIn(modelsDirectory) && 'SVC_MODELS_DIR';
  return notWritable(error, variable ? `set ${variable} to another folder` : null);
}

function notWritable({ path, code }, instead) {
  // Nobody can write there, whoever owns it.
  const advice =
    code === 'EROFS'
      ? `${path} is on a read-only file system: mount it writable`
      : `${path} cannot be written by this user: make it yours (chown)`;
  return new SetupError(instead === null ? advice : `${advice}, or ${instead}`);
}
