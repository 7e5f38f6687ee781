// An item of a batch: each step of its processing extends the type of the step before.
import type { ItemStatus } from './batch-status.ts';
import type { RequestFailure } from './errors.ts';
import type { ItemProgress } from './item-progress.ts';
import type { RemoteAudio, UploadedAudio } from './recording-request.ts';

/** As requested; `api/batches/parse-batch.ts` reads it. */
export interface RequestedItem {
  /** The caller's name for the item, unique within the batch. */
  readonly customId: string;
  readonly recording: { readonly fileId: string } | { readonly sourceUrl: string };
  readonly metadata: Readonly<Record<string, string>>;
}

/** With the recording in its file; `api/batches/create.ts` inserts rows from these. */
export interface ResolvedItem extends Omit<RequestedItem, 'recording'> {
  readonly fileId: string;
  readonly upload: UploadedAudio | RemoteAudio;
  /** Of a file that is created with the item. */
  readonly source?: { readonly url: string; readonly filename: string };
}

/**
 * With its position and its outcome; `db/batch-items.ts` reads these. Workflows and activities
 * receive its position and its upload (`BatchRecording`, `AnalyzeRecordingInput`).
 */
export interface BatchItem extends ResolvedItem {
  readonly position: number;
  readonly status: ItemStatus;
  /** null for clips, and once it has ended. */
  readonly progress: ItemProgress | null;
  /** null until it is completed. */
  readonly billableSeconds: number | null;
  /** null unless it has failed. */
  readonly error: RequestFailure | null;
}
