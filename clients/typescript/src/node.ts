// Recordings from files, for Node.
import { constants, openAsBlob, promises } from 'node:fs';
import { basename } from 'node:path';
import type { NamedRecording } from './recording.ts';

/** The file is read while it is sent, however often it is sent. @throws when it cannot be read */
export async function recordingFrom(path: string): Promise<NamedRecording> {
  // `openAsBlob` does not say why, and opens what only others may read.
  await promises.access(path, constants.R_OK);
  return { name: basename(path), data: await openAsBlob(path) };
}
