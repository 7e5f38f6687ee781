// An item of a batch on its way: one type, to which each step adds what it finds out.
import type { UploadedAudio } from './recording-request.ts';

/** As the caller asks for it: read by `api/batches/parse-batch.ts`. */
export interface RequestedItem {
  /** The caller's name, once in a batch. */
  readonly customId: string;
  readonly fileId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** With the recording that its file holds: `api/batches/create.ts` makes the rows of these. */
export interface FoundItem extends RequestedItem {
  readonly upload: UploadedAudio;
}

/** OpenAI's vocabulary has no state for items that wait; `queued` is ours. */
export type ItemStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/**
 * In its place, with what has become of it: `db/batch-items.ts` reads these. To workflows and
 * activities its position and its upload go on (`BatchRecording`, `AnalyzeRecordingInput`).
 */
export interface BatchItem extends FoundItem {
  readonly position: number;
  readonly status: ItemStatus;
  /** Billed, and so as long as the recording; null until it is completed. */
  readonly audioSeconds: number | null;
  /** Null unless it has failed. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
  } | null;
}
