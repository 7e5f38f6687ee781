// A backup of the embedded servers while they run, in the order that a restore can make sense of:
// PostgreSQL, then Temporal, then object storage (docs/backup.md).
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { z } from 'zod';
import { s3Folders } from '../setup/s3-choice.mjs';
import { clusterOutside } from './cluster-place.ts';
import { copyTree } from './copy-tree.ts';
import { copySecrets } from './secrets.ts';

/** What lies in a backup's folder, beside `backup.json`. */
export const backupFolders = {
  postgres: 'postgres',
  temporal: 'temporal.db',
  storage: ['objects', 'metadata-of-objects'],
} as const;

export const backupSchema = z.object({
  version: z.literal(1),
  /** When PostgreSQL's part began: what was charged later is not in it. */
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
});

export type BackupDescription = z.infer<typeof backupSchema>;

export interface BackupOptions {
  readonly dataDirectory: string;
  /** Of the superuser of the embedded cluster. */
  readonly ownerUrl: string;
  /** A new folder. */
  readonly to: string;
}

/** What somebody copies of a stack that does not run. */
export function copyByHand(dataDirectory: string): string {
  const outside = clusterOutside(dataDirectory);
  const database = outside === null ? '' : `, and its database in ${outside}`;
  return `copy ${dataDirectory}${database} (docs/backup.md)`;
}

/** Of a SQLite file of 8 TB. */
const everyPage = 2 ** 31 - 1;

/** A backup or a restore cannot be made; the message says why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/**
 * Rows are there before their objects and go after them, so a copy of the storage that is later
 * than that of the rows has every object but those that were deleted meanwhile.
 * @throws BackupRefused
 */
export async function backUp(options: BackupOptions): Promise<BackupDescription> {
  const { dataDirectory, to } = options;
  if (fs.existsSync(join(dataDirectory, s3Folders.seaweedfs))) {
    throw new BackupRefused(
      `SeaweedFS cannot be copied while it runs: stop the stack and ${copyByHand(dataDirectory)}`,
    );
  }
  if (fs.existsSync(to)) throw new BackupRefused(`${to} is there already`);
  fs.mkdirSync(dirname(to), { recursive: true });
  fs.mkdirSync(to, { mode: 0o700 });
  const startedAt = new Date().toISOString();
  await backUpPostgres(options.ownerUrl, join(to, backupFolders.postgres));
  await copyHistories(dataDirectory, to);
  for (const name of backupFolders.storage)
    await copyTree(join(dataDirectory, name), join(to, name));
  copySecrets(dataDirectory, to);
  const description = { version: 1, startedAt, endedAt: new Date().toISOString() } as const;
  // Written last: a folder without it is half a backup.
  fs.writeFileSync(join(to, 'backup.json'), `${JSON.stringify(description)}\n`, { mode: 0o600 });
  return description;
}

/** Temporal's database while its server writes, for this user alone. */
export async function copyHistories(dataDirectory: string, to: string): Promise<void> {
  const histories = new DatabaseSync(join(dataDirectory, backupFolders.temporal));
  const copy = join(to, backupFolders.temporal);
  // SQLite would make it readable for all.
  fs.writeFileSync(copy, '', { mode: 0o600 });
  try {
    // In one step: with several, each write of the server would begin it anew.
    await copyDatabase(histories, copy, { rate: everyPage });
  } finally {
    histories.close();
  }
}

/** Of a running server these are its own, or made anew. */
const ownFiles = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp'];

/**
 * PostgreSQL's low-level backup: the files as they change, and the log of the changes meanwhile,
 * from which the server makes them whole at its next start.
 */
async function backUpPostgres(ownerUrl: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const from = rows[0]!.data_directory;
    // Keeps the log of this time; it ends with the session.
    await client.query("SELECT pg_create_physical_replication_slot('svc_backup', true, true)");
    await client.query("SELECT pg_backup_start('svc backup', true)");
    await copyTree(from, to, ownFiles);
    const stopped = await client.query<{ labelfile: string }>(
      'SELECT * FROM pg_backup_stop(false)',
    );
    await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'));
    for (const name of ['pg_replslot', 'pg_stat_tmp']) {
      fs.mkdirSync(join(to, name), { recursive: true, mode: 0o700 });
    }
    fs.writeFileSync(join(to, 'backup_label'), stopped.rows[0]!.labelfile, { mode: 0o600 });
  } finally {
    await client.end();
  }
}
