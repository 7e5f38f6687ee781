// Recordings from files, for Node.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { NamedRecording } from './recording.ts';

/** The file is read while it is sent, however often it is sent. @throws when it cannot be read */
export async function recordingFrom(path: string): Promise<NamedRecording> {
  return { name: basename(path), data: await openAsBlob(path) };
}
