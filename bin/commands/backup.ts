// `svc backup` and `svc restore`: everything that the embedded servers of a stack keep.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backUp, BackupRefused, copyByHand } from '../stack/backup.ts';
import { isRunning } from '../stack/process-identity.ts';
import { restore } from '../stack/restore.ts';
import { ensureSecrets } from '../stack/secrets.ts';
import { readSettings } from '../settings/stack-settings.ts';
import { readRecord } from '../stack/stack-record.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup <folder>')
    .description('copy what a running `npm start` keeps into a new folder')
    .action(async (folder: string) => {
      const { dataDirectory } = readSettings(process.env);
      const ownerUrl = ownerUrlOf(dataDirectory);
      const { startedAt } = await backUp({ dataDirectory, ownerUrl, to: folder });
      process.stdout.write(`${folder} holds what was there at ${startedAt}\n`);
    });
  program
    .command('restore <folder>')
    .description('lay a backup out as SVC_DATA_DIR, which must be empty; then `npm start`')
    .action(async (folder: string) => {
      const { dataDirectory } = readSettings(process.env);
      const { startedAt } = await restore(folder, dataDirectory);
      process.stdout.write(`${dataDirectory} is as it was at ${startedAt}\n`);
    });
}

/** A backup has all three or is none: rows, histories and objects name one another. */
const embedded = ['PostgreSQL', 'Temporal', 'S3 gateway'];
const ownServers =
  'the stack has servers of your own: docs/backup.md says how these are backed up with it';

/** @throws BackupRefused where the stack does not run, or has a server of somebody else */
function ownerUrlOf(dataDirectory: string): string {
  const record = readRecord(dataDirectory);
  if (record === null || !isRunning(record.stack)) {
    const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
    if (DATABASE_URL || DATABASE_URL_FILE) throw new BackupRefused(ownServers);
    if (!existsSync(dataDirectory)) {
      throw new BackupRefused(`there is no ${dataDirectory} (SVC_DATA_DIR): see docs/backup.md`);
    }
    throw new BackupRefused(`no stack runs on ${dataDirectory}: ${copyByHand(dataDirectory)}`);
  }
  const running = record.parts.map(({ name }) => name);
  const elsewhere = embedded.filter((name) => !running.includes(name));
  if (elsewhere.length > 0) {
    throw new BackupRefused(`${ownServers} (it does not run ${elsewhere.join(', ')})`);
  }
  const url = new URL(record.environment.DATABASE_URL ?? '');
  url.username = 'svc';
  url.password = ensureSecrets(dataDirectory).postgresPassword;
  return url.href;
}
