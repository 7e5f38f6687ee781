// What crosses Temporal: ids, object keys, sizes and small numbers; never samples, words or
// results.
import type { Container } from '../models/contract/containers.ts';
import type { AudioLength } from '../models/contract/billing.ts';
import type { RecordingRequest } from '../models/contract/recording-request.ts';
import type { RecordingTask } from '../models/contract/tasks.ts';
import type { ModelId } from '../models/contract/catalog.ts';

/** Slot of a prepared session that a request spends. */
export interface SessionSlot {
  readonly sessionId: string;
  readonly slot: number;
}

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
  /** Of the worker that has the socket. */
  readonly hostQueue: string;
}

/** How a stream ended: with a result, or without result and debit. */
export type StreamOutcome = 'completed' | 'ended';

/** Input of the `analyzeRecording` workflow. */
export interface AnalyzeRecordingInput extends RecordingRequest {
  readonly organizationId: string;
  readonly requestId: string;
  /** 1 for the first run of a request id, +1 for each retry of a 5xx. Prefixes the object keys. */
  readonly attempt: number;
  /** Absent: the minutes come out of the account. */
  readonly slot?: SessionSlot;
  /** Object with the text that was read; absent where there is none. */
  readonly transcriptKey?: string;
  /** Absent: a caller waits for it. */
  readonly batch?: BatchPlace;
  readonly upload: {
    readonly key: string;
    readonly container: Container;
    readonly bytes: number;
    /** Hex; absent in histories of earlier versions, and where storage received the bytes. */
    readonly sha256?: string;
  };
}

/** Which item of which batch a recording is: its upload and its result outlive the run. */
export interface BatchPlace {
  readonly id: string;
  readonly position: number;
}

/** Input of the `runBatch` workflow. */
export interface RunBatchInput {
  readonly organizationId: string;
  readonly batchId: string;
  readonly total: number;
  /** First item that no run of the workflow has started yet. */
  readonly next: number;
}

/** Items `[from, to)` that are analysed in one activity. */
export interface ClipGroup {
  readonly kind: 'clips';
  readonly from: number;
  readonly to: number;
}

/** An item that is analysed by a workflow of its own. */
export interface BatchRecording {
  readonly kind: 'recording';
  readonly position: number;
  readonly requestId: string;
  readonly workflowId: string;
  readonly upload: AnalyzeRecordingInput['upload'];
}

/** Workflows of batches, begun and cancelled from outside. */
export interface BatchWorkflows {
  /** Nothing happens when it runs already. @throws when Temporal cannot be reached */
  start(batch: RunBatchInput): Promise<void>;
  /** @returns false when it never began */
  cancel(workflowId: string): Promise<boolean>;
}

/** What every item of a batch is asked for. */
export type BatchRequest = Pick<
  AnalyzeRecordingInput,
  'organizationId' | 'attempt' | 'task' | 'model' | 'options'
>;

/** What `planBatch` made of the next items. */
export interface BatchPlan {
  readonly request: BatchRequest;
  readonly works: readonly (ClipGroup | BatchRecording)[];
  /** First item that is not in it. */
  readonly next: number;
}

/** Input of `analyzeClips`: items `[from, to)`. */
export interface ClipGroupInput {
  readonly batchId: string;
  readonly from: number;
  readonly to: number;
}

export interface ClipGroupOutcome {
  /** Items that have ended. */
  readonly done: number;
  /** Those that are no clips. */
  readonly long: readonly BatchRecording[];
}

export type BatchEndStatus = 'completed' | 'failed' | 'cancelled';

/** Input of `finishBatch`. */
export interface FinishBatchInput {
  readonly batchId: string;
  readonly status: BatchEndStatus;
}

/** How a batch has ended, and whether somebody wants to be told. */
export interface BatchEnd {
  readonly status: string;
  readonly webhook: boolean;
}

/** Input of `deliverWebhook`. */
export interface WebhookInput {
  readonly organizationId: string;
  readonly batchId: string;
}

/** What a finished workflow returns: where the result lies and what was charged. */
export interface AnalyzeRecordingResult {
  /** Key of the result object: JSON of `RecordingResult` (models/analysis/result.ts). */
  readonly resultKey: string;
}

/** How a stored plan is shared out. */
export interface PlannedWork {
  readonly chunks: number;
  readonly spans: readonly Span[];
}

/**
 * What `openRecording` found. A short clip is already `completed`: decode, inference and settlement
 * happened in that one activity. A long one lies decoded in object storage: with a plan, or with
 * its voice activity when the speakers have to be told apart first.
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
export interface FailRecordingInput {
  readonly recording: AnalyzeRecordingInput;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** Somebody has ended it; an item of a batch then counts as cancelled. */
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
  readonly audioSeconds: number | null;
  readonly chunksDone: number;
  readonly chunksTotal: number | null;
}

export type Stage = 'opening' | 'diarizing' | 'analyzing' | 'finishing' | 'completed' | 'failed';
