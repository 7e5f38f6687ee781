// The data directory is private to its owner: it holds calls, keys and histories.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../settings/stack-settings.ts';

const ownerOnly = 0o700;
/** The group may traverse the folder, but neither list nor read it. */
const traversal = 0o710;

/** What a new volume of its own has. */
export const ofFileSystem = 'lost+found';
/** What a first start may leave that was killed before it had secrets. */
const ofFirstStart = /^(stack|secrets)\.json/;

/**
 * A first start would close a folder of other things to all who use them.
 * @throws SettingsError for a folder that has other things and is no stack's yet
 */
export function requireOwnFolder(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, 'secrets.json'))) return;
  const others = readdirSync(folder).filter(
    (name) => !name.startsWith('.') && name !== ofFileSystem && !ofFirstStart.test(name),
  );
  if (others.length === 0) return;
  throw new SettingsError(
    `${folder} has ${others.slice(0, 3).join(', ')}, but no secrets.json of a stack: ` +
      'set SVC_DATA_DIR to a new folder, which the stack makes its own',
  );
}

/** Creates the folder, and makes it and its files private as far as they belong to this user. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  restrict(folder);
  for (const name of readdirSync(folder)) restrict(join(folder, name));
}

/** Lets a user traverse the folder to reach one of its own. */
export function allowTraversal(folder: string, { gid }: { readonly gid: number }): void {
  chownSync(folder, statSync(folder).uid, gid);
  chmodSync(folder, traversal);
}

function restrict(path: string): void {
  const stat = lstatSync(path);
  const isOwn = process.getuid === undefined || stat.uid === process.getuid();
  if (isOwn && !stat.isSymbolicLink()) chmodSync(path, stat.mode & ownerOnly);
}
