// Chooses the S3 server of a data directory, for set-up, which installs it, and for the stack,
// which runs it.
import fs from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './processes.mjs';

/**
 * The folder of each server in a data directory; it identifies the server that wrote the objects.
 * @typedef {keyof typeof s3Folders} S3ServerName
 */
export const s3Folders = { versitygw: 'objects', seaweedfs: 'seaweedfs' };
const names = /** @type {S3ServerName[]} */ (Object.keys(s3Folders));

/**
 * @param {string | null} dataDirectory null for a new one
 * @param {string | undefined} asked the value of SVC_S3_SERVER
 * @returns {S3ServerName | null} null when any server is suitable
 * @throws SettingError for an unknown server, or when another one wrote the existing objects
 */
export function chosenServer(dataDirectory, asked) {
  const known = names.find((name) => name === asked) ?? null;
  if (asked && !known) {
    throw new SettingError(`SVC_S3_SERVER must be one of ${names.join(', ')}, not "${asked}"`);
  }
  const kept = dataDirectory === null ? null : serverOf(dataDirectory);
  if (known && kept && known !== kept) {
    throw new SettingError(
      `the objects in ${dataDirectory} were written by ${kept}, which SVC_S3_SERVER=${asked} ` +
        'cannot read: unset it, or choose another SVC_DATA_DIR.',
    );
  }
  return kept ?? known;
}

/** Advice when the server that is needed for the existing objects is not available. */
export function adviceFor(name, dataDirectory, why) {
  const variable = `SVC_${name.toUpperCase()}_BINARY`;
  const keeps = dataDirectory !== null && serverOf(dataDirectory) === name;
  return keeps
    ? `the objects in ${dataDirectory} were written by ${name}, and ${why}: name one with ` +
        `${variable}, or choose another SVC_DATA_DIR for a new and empty service.`
    : `${why}: name one with ${variable}, or set S3_ENDPOINT to a running S3 server.`;
}

/** @param {string} dataDirectory */
function serverOf(dataDirectory) {
  return names.find((name) => fs.existsSync(join(dataDirectory, s3Folders[name]))) ?? null;
}
