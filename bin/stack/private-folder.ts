// The data directory is its owner's alone: calls, keys and histories lie in it.
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ownerOnly = 0o700;
/** Others of the group may pass through, and neither list nor read. */
const passage = 0o710;

/** Makes the folder, and closes it and what lies in it to everybody else, as far as it is ours. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  close(folder);
  for (const name of readdirSync(folder)) close(join(folder, name));
}

/** Lets a user pass through to a folder of its own. */
export function letThrough(folder: string, { gid }: { readonly gid: number }): void {
  chownSync(folder, statSync(folder).uid, gid);
  chmodSync(folder, passage);
}

function close(path: string): void {
  const stat = lstatSync(path);
  const ours = process.getuid === undefined || stat.uid === process.getuid();
  if (ours && !stat.isSymbolicLink()) chmodSync(path, stat.mode & ownerOnly);
}
