// The inputs and results that cross Temporal: ids, object keys, sizes and small numbers, but never
// samples, words or results.
import type { AudioLength } from '../models/contract/billing.ts';
import type { BatchItem } from '../models/contract/batch-item.ts';
import type { FinalStatus } from '../models/contract/batch-status.ts';
import type { RequestFailure } from '../models/contract/errors.ts';
import type {
  RecordingRequest,
  RemoteAudio,
  SessionSlot,
  UploadedAudio,
} from '../models/contract/recording-request.ts';
import type { RecordingTask } from '../models/contract/tasks.ts';
import type { ModelId } from '../models/contract/catalog.ts';

/** Input of the `preparedSession` workflow. */
export interface PreparedSessionInput {
  readonly organizationId: string;
  readonly sessionId: string;
  readonly slots: number;
  /** By the database's clock. */
  readonly expiresAtMs: number;
  /** From the start on, by Temporal's clock; absent in histories of earlier versions. */
  readonly lifeMs?: number;
}

export type SlotClaim = 'claimed' | 'used' | 'expired';

/** Input of the `streamRecording` workflow. */
export interface StreamInput {
  readonly organizationId: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly task: RecordingTask;
  readonly model: ModelId;
  /** The task queue of the worker that holds the socket. */
  readonly hostQueue: string;
}

/** How a stream ended: with a result, or without result and debit. */
export type StreamOutcome = 'completed' | 'ended';

/** Input of the `analyzeRecording` workflow. */
export interface AnalyzeRecordingInput extends RecordingRequest {
  readonly organizationId: string;
  readonly requestId: string;
  /**
   * 1 for the first run of a request id, one more for each retry after a 5xx. It prefixes the
   * object keys.
   */
  readonly attempt: number;
  /** Absent when the minutes come out of the account. */
  readonly slot?: SessionSlot;
  /** Key of the object with the terms that recognition prefers; absent without any. */
  readonly vocabularyKey?: string;
  /** The terms are in the batch's row instead. */
  readonly batchVocabulary?: true;
  /** Absent when a caller waits for the result. */
  readonly batch?: BatchPlace;
  readonly upload: UploadedAudio;
  /**
   * Whoever waits for the workflow takes a refusal from its result. Absent in starts by earlier
   * versions, which know failures alone.
   */
  readonly readsRefusal?: true;
}

/** The same before its recording was fetched from the address in its file's row. */
export type RecordingInput = Omit<AnalyzeRecordingInput, 'upload'> & {
  readonly upload: UploadedAudio | RemoteAudio;
};

/** Input of `fetchRecording`. */
export type FetchRecordingInput = Pick<AnalyzeRecordingInput, 'organizationId'> & {
  readonly batch: BatchPlace;
  readonly remote: RemoteAudio;
};

/** The item of a batch that a recording belongs to; its upload and its result outlive the run. */
export interface BatchPlace {
  readonly id: string;
  readonly position: number;
}

/** Input of the `runBatch` workflow. */
export interface RunBatchInput {
  readonly organizationId: string;
  readonly batchId: string;
  readonly total: number;
  /** The first item that no run of the workflow has started yet. */
  readonly next: number;
}

/** Items `[from, to)` that are analysed in one activity. */
export interface ClipGroup {
  readonly kind: 'clips';
  readonly from: number;
  readonly to: number;
}

/** An item that is analysed by a workflow of its own. */
export interface BatchRecording extends Pick<BatchItem, 'position' | 'upload'> {
  readonly kind: 'recording';
  readonly requestId: string;
  readonly workflowId: string;
}

/** The request that every item of a batch shares. */
export type SharedItemRequest = Pick<
  AnalyzeRecordingInput,
  'organizationId' | 'attempt' | 'task' | 'model' | 'options' | 'batchVocabulary'
>;

/** Input of `planBatch`. */
export interface PlanBatchInput extends RunBatchInput {
  /** Units of work to plan at most; absent: so many as a batch begins with. */
  readonly works?: number | undefined;
}

/** What `planBatch` made of the next items. */
export interface BatchPlan {
  readonly request: SharedItemRequest;
  readonly works: readonly (ClipGroup | BatchRecording)[];
  /** The first item that the plan does not cover. */
  readonly next: number;
  /** Units of work in progress at first; absent in histories of the version before: the most. */
  readonly firstWindow?: number;
}

/** Input of `analyzeClips`: items `[from, to)`. */
export interface ClipGroupInput extends Pick<ClipGroup, 'from' | 'to'> {
  readonly batchId: string;
}

export interface ClipGroupOutcome {
  /** Items that have ended. */
  readonly done: number;
  /** Items that are too long for a clip. */
  readonly long: readonly BatchRecording[];
}

/** Input of `finishBatch`. */
export interface FinishBatchInput {
  readonly batchId: string;
  readonly status: FinalStatus;
}

/** Input of `deliverWebhook`. */
export interface WebhookInput {
  readonly organizationId: string;
  readonly batchId: string;
}

/** A recording that the service looked at and cannot take: the same bytes would fail again. */
export interface RefusedRecording {
  readonly refusal: RequestFailure;
}

/** What `failRecording` knows of the code that it recorded. */
export interface FailedRecording {
  /** The caller's recording or account has caused it. */
  readonly isCallersFault: boolean;
  /** The recording itself has: its id answers the same from now on. */
  readonly isAudiosFault: boolean;
}

/** The result of a completed workflow. */
export interface AnalyzeRecordingResult {
  /** Key of the result object: JSON of `RecordingResult` (models/analysis/result/result.ts). */
  readonly resultKey: string;
}

/** How the chunks of a stored plan are distributed. */
export interface PlannedWork {
  readonly chunks: number;
  readonly spans: readonly Span[];
}

/**
 * The result of `openRecording`. A short clip is already `completed`, because decoding, inference
 * and settlement happened in that one activity. A long recording is decoded in object storage, with
 * a plan, or with its voice activity when it still has to be diarized.
 */
export type OpenedRecording =
  | ({ readonly kind: 'completed' } & AnalyzeRecordingResult)
  | { readonly kind: 'undiarized'; readonly audio: AudioLength }
  | ({ readonly kind: 'planned'; readonly audio: AudioLength } & PlannedWork);

/** Input of `diarizeRecording`. */
export interface DiarizeRecordingInput {
  readonly recording: AnalyzeRecordingInput;
  readonly audio: AudioLength;
}

/** Input of `analyzeSpan`. */
export interface AnalyzeSpanInput {
  readonly recording: AnalyzeRecordingInput;
  readonly span: Span;
}

/** Input of `finishRecording`. */
export interface FinishRecordingInput {
  readonly recording: AnalyzeRecordingInput;
  readonly audio: AudioLength;
}

/** Input of `failRecording`: how the attempt ended. */
export interface FailRecordingInput extends RequestFailure {
  readonly recording: RecordingInput;
  /** It was cancelled; an item of a batch then counts as cancelled. */
  readonly cancelled?: true;
}

/** Consecutive chunks `[firstChunk, endChunk)` of the plan that one activity analyses. */
export interface Span {
  readonly index: number;
  readonly firstChunk: number;
  readonly endChunk: number;
  readonly audioSeconds: number;
}

/** Answer of the `progress` query. */
export interface Progress {
  readonly stage: Stage;
  readonly diarize: boolean;
  /** The recording is fetched first; absent in answers of earlier versions. */
  readonly fetch?: boolean;
  readonly audioSeconds: number | null;
  readonly chunksDone: number;
  readonly chunksTotal: number | null;
}

export type Stage =
  | 'fetching'
  | 'opening'
  | 'diarizing'
  | 'analyzing'
  | 'finishing'
  | 'completed'
  | 'refused'
  | 'failed';
