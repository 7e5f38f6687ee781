// Lays a backup of the embedded servers out as a data directory, from which a stack then starts.
import fs from 'node:fs';
import { join } from 'node:path';
import { backupFolders, backupSchema, BackupRefused, type BackupDescription } from './backup.ts';
import { copyTree } from './copy-tree.ts';
import { postgresHome } from './postgres.ts';
import { ofFileSystem } from './private-folder.ts';
import { copySecrets } from './secrets.ts';

/** @throws BackupRefused for half a backup, and where data is already */
export async function restore(from: string, dataDirectory: string): Promise<BackupDescription> {
  const path = join(from, 'backup.json');
  if (!fs.existsSync(path)) throw new BackupRefused(`${from} is no backup, or half of one`);
  const description = backupSchema.parse(JSON.parse(fs.readFileSync(path, 'utf8')));
  fs.mkdirSync(dataDirectory, { recursive: true });
  const there = fs.readdirSync(dataDirectory).filter((name) => name !== ofFileSystem);
  if (there.length > 0) {
    throw new BackupRefused(
      `${dataDirectory} is not empty: it has ${there.slice(0, 3).join(', ')}`,
    );
  }
  copySecrets(from, dataDirectory);
  const { temporal } = backupFolders;
  fs.copyFileSync(join(from, temporal), join(dataDirectory, temporal));
  for (const name of backupFolders.storage) {
    await copyTree(join(from, name), join(dataDirectory, name));
  }
  // The cluster that was backed up may still be on this machine, and is left as it is.
  const home = await postgresHome({ dataDirectory, password: null });
  // A start takes what is in its place for a whole cluster.
  const work = `${home.dataDirectory}.new`;
  await copyTree(join(from, backupFolders.postgres), work);
  if (home.user !== null) giveTo(work, home.user);
  fs.renameSync(work, home.dataDirectory);
  return description;
}

/** Under root the server runs as a user of its own. */
function giveTo(path: string, user: { readonly uid: number; readonly gid: number }): void {
  fs.chownSync(path, user.uid, user.gid);
  if (!fs.statSync(path).isDirectory()) return;
  for (const name of fs.readdirSync(path)) giveTo(join(path, name), user);
}
