// A multipart upload with one file: stored while it comes, discarded when its fields do not fit.
import type { IncomingMessage } from 'node:http';
import type { Container } from '../../models/audio/container.ts';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies } from '../dependencies.ts';
import { readMultipart, type Fields } from './multipart.ts';
import { discardObjects, storeAudio, type StoredAudio } from './store-audio.ts';

const maxFieldBytes = 4_096;

export interface Upload {
  readonly body: IncomingMessage;
  readonly organizationId: string;
  readonly limits: { readonly maxFileBytes: number; readonly maxBodyBytes: number };
}

export interface Form {
  readonly fields: Fields;
  /** Of the whole body. */
  readonly bytes: number;
  readonly container: Container;
}

/** Reads the body, stores the audio, checks the fields; a refusal leaves nothing behind. */
export async function receiveUpload<T>(
  { db, objects, uploadDeadlines: deadlines }: AppDependencies,
  { body, organizationId, limits }: Upload,
  check: (form: Form) => T,
): Promise<{ accepted: T; audio: StoredAudio }> {
  let stored: StoredAudio | null = null;
  try {
    const { fields, file, bytes } = await readMultipart(
      body,
      { ...limits, maxFieldBytes, deadlines },
      async (content, signal) => {
        stored = await storeAudio(content, { db, objects, organizationId, signal });
        return stored;
      },
    );
    if (!file) {
      const message = 'The request has no part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    return { accepted: check({ fields, bytes, container: file.container }), audio: file };
  } catch (error) {
    const left = stored as StoredAudio | null;
    if (left) await discardObjects({ db, objects }, [left.key]);
    throw error;
  }
}
