// Folders that PostgreSQL's own user can reach: whether a path is one, and a place for those that
// are not.
import fs from 'node:fs';
import { dirname } from 'node:path';

export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Readable by every user and writable by root, for files from a folder that only root may enter.
 */
export const sharedDirectory = '/var/lib/svc-speech';

/** True when the user may enter the folder and every folder above it. */
export function canEnter(folder: string, { uid, gid }: PostgresUser): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const stat = fs.statSync(at, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (at === dirname(at)) return true;
  }
}

/** Creates a folder that every user may enter at any umask. */
export function makeReachable(folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.chmodSync(folder, 0o755);
}
