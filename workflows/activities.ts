// The activities that workflows call, with their inputs and results. Workers implement them.
import type { BatchEnd } from '../models/contract/batch-status.ts';
import type { UploadedAudio } from '../models/contract/recording-request.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  AnalyzeSpanInput,
  BatchPlan,
  ClipGroupInput,
  ClipGroupOutcome,
  DiarizeRecordingInput,
  FailedRecording,
  FailRecordingInput,
  FetchRecordingInput,
  FinishBatchInput,
  FinishRecordingInput,
  OpenedRecording,
  PlannedWork,
  PreparedSessionInput,
  PlanBatchInput,
  StreamInput,
  StreamOutcome,
  WebhookInput,
} from './types.ts';

/** Run by the worker of recordings and batches. */
export interface Activities {
  readonly fetchRecording: (input: FetchRecordingInput) => Promise<UploadedAudio>;
  readonly openRecording: (input: AnalyzeRecordingInput) => Promise<OpenedRecording>;
  readonly diarizeRecording: (input: DiarizeRecordingInput) => Promise<PlannedWork>;
  readonly analyzeSpan: (input: AnalyzeSpanInput) => Promise<void>;
  readonly finishRecording: (input: FinishRecordingInput) => Promise<AnalyzeRecordingResult>;
  /** @returns nothing in histories of earlier versions */
  readonly failRecording: (input: FailRecordingInput) => Promise<FailedRecording | undefined>;
  /** @returns true when there is work to do */
  readonly startBatch: (batchId: string) => Promise<boolean>;
  readonly planBatch: (input: PlanBatchInput) => Promise<BatchPlan>;
  readonly analyzeClips: (input: ClipGroupInput) => Promise<ClipGroupOutcome>;
  readonly finishBatch: (input: FinishBatchInput) => Promise<BatchEnd>;
  /** @returns the receiver's status, 2xx */
  readonly postWebhook: (input: WebhookInput) => Promise<number>;
  readonly sweep: () => Promise<void>;
}

/** Run for sessions and streams, by any worker. */
export interface StreamActivities {
  readonly closeSession: (input: PreparedSessionInput) => Promise<void>;
  readonly endStream: (stream: StreamInput) => Promise<boolean>;
}

/** Run by the one process that holds the socket. */
export interface HostActivities {
  readonly holdStream: (input: StreamInput) => Promise<StreamOutcome>;
}
