// The data directory is private to its owner: it holds calls, keys and histories.
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ownerOnly = 0o700;
/** The group may traverse the folder, but neither list nor read it. */
const traversal = 0o710;

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
