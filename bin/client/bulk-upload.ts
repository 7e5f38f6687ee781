// Uploads the recordings of a batch, each once however often the run is repeated.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SpeechClient } from '../../clients/typescript/src/client.ts';
import { recordingFrom } from '../../clients/typescript/src/node.ts';
import { SpeechServiceError, unreadableCode } from '../../clients/typescript/src/service-error.ts';
import { concernsAll, isFaultOfRecording } from './blame.ts';
import { unreadableReason } from './bulk-folder.ts';
import type { FoundFile, JournalEntry } from './bulk-plan.ts';

export interface UploadOptions {
  readonly folder: string;
  readonly client: SpeechClient;
  /** Concurrent uploads. */
  readonly uploads: number;
  readonly signal: AbortSignal;
}

export interface Uploaded {
  /** With their ids on the service, in the order of the files. */
  readonly sent: readonly { readonly file: FoundFile; readonly id: string }[];
  readonly rejected: readonly JournalEntry[];
}

/**
 * @param name of the request, for the journal
 * @throws for what concerns every recording
 */
export async function uploadFiles(
  { folder, client, uploads, signal }: UploadOptions,
  files: readonly FoundFile[],
  name: string,
): Promise<Uploaded> {
  const ids = new Map<string, string>();
  const rejected: JournalEntry[] = [];
  const reject = (file: FoundFile, code: string, message: string): void => {
    const final = isFaultOfRecording(code);
    rejected.push({ ...file, request: name, outcome: 'failed', code, message, final });
  };
  const queue = [...files];
  const upload = async (): Promise<void> => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      signal.throwIfAborted();
      const { path } = file;
      const recording = await recordingFrom(join(folder, path)).catch((error: unknown) =>
        reject(file, unreadableCode, unreadableReason(path, error)),
      );
      if (!recording) continue;
      try {
        const call = { idempotencyKey: uploadKey(file), signal };
        ids.set(path, (await client.files.upload(recording, call)).id);
      } catch (error) {
        if (signal.aborted || !concernsOne(error)) throw error;
        reject(file, error.code, error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: uploads }, upload));
  const sent = files.flatMap((file) => {
    const id = ids.get(file.path);
    return id === undefined ? [] : [{ file, id }];
  });
  return { sent, rejected };
}

/** The others may be accepted; 429 has been waited for long enough. */
function concernsOne(error: unknown): error is SpeechServiceError {
  if (!(error instanceof SpeechServiceError)) return false;
  if (error.code === unreadableCode) return true;
  return error.isRejection && error.status !== 429 && !concernsAll(error);
}

/**
 * Equal recordings under different names are different files, because each is deleted with its
 * batch.
 */
function uploadKey({ path, sha256 }: FoundFile): string {
  return `svc-bulk-${createHash('sha256').update(`${sha256} ${path}`).digest('hex')}`;
}
