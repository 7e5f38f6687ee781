// Which S3 server a data directory has, and which one a new data directory gets.
import fs from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './processes.mjs';

/** Each server's folder in a data directory (bin/stack/s3-servers.ts): it tells who wrote there. */
const folders = { versitygw: 'objects', seaweedfs: 'seaweedfs' };
const names = Object.keys(folders);

/**
 * @param {string | null} dataDirectory null: one that is new
 * @param {string | undefined} asked the value of SVC_S3_SERVER
 * @returns {'versitygw' | 'seaweedfs' | null} null: any will do
 * @throws SetupError where the objects that are there were written by another server
 */
export function chosenServer(dataDirectory, asked) {
  if (asked && !names.includes(asked)) {
    throw new SetupError(`SVC_S3_SERVER must be one of ${names.join(', ')}, not "${asked}"`);
  }
  const kept = dataDirectory === null ? null : serverOf(dataDirectory);
  if (asked && kept && asked !== kept) {
    throw new SetupError(
      `the objects in ${dataDirectory} were written by ${kept}, which SVC_S3_SERVER=${asked} ` +
        'cannot read: unset it, or choose another SVC_DATA_DIR.',
    );
  }
  return kept ?? (asked || null);
}

/** What to do where the objects that are there need a server that cannot be had. */
export function adviceFor(name, dataDirectory, why) {
  const keeps = dataDirectory !== null && serverOf(dataDirectory) === name;
  return keeps
    ? `the objects in ${dataDirectory} were written by ${name}, and ${why}: put ${name} on PATH, ` +
        'or choose another SVC_DATA_DIR for a new and empty service.'
    : `${why}: put ${name} on PATH, or set S3_ENDPOINT to a running S3 server.`;
}

function serverOf(dataDirectory) {
  return names.find((name) => fs.existsSync(join(dataDirectory, folders[name]))) ?? null;
}
