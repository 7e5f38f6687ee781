// An item of a batch: each step of its processing extends the type of the step before.
import type { UploadedAudio } from './recording-request.ts';

/** As requested; `api/batches/parse-batch.ts` reads it. */
export interface RequestedItem {
  /** The caller's name for the item, unique within the batch. */
  readonly customId: string;
  readonly fileId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** With the recording in its file; `api/batches/create.ts` inserts rows from these. */
export interface ResolvedItem extends RequestedItem {
  readonly upload: UploadedAudio;
}

/** OpenAI defines no status for items that wait; `queued` is this service's addition. */
export type ItemStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/**
 * With its position and its outcome; `db/batch-items.ts` reads these. Workflows and activities
 * receive its position and its upload (`BatchRecording`, `AnalyzeRecordingInput`).
 */
export interface BatchItem extends ResolvedItem {
  readonly position: number;
  readonly status: ItemStatus;
  /** Billed seconds, which equal the recording's length; null until it is completed. */
  readonly audioSeconds: number | null;
  /** null unless it has failed. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
  } | null;
}
