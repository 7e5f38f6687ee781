// The dependencies of all activities, passed in by the worker.
import type { Db } from '../db/database.ts';
import type { ObjectStore } from '../db/objects/object-store.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { AffectModel } from '../models/affect/select.ts';
import type { SourceFetch } from '../models/contract/source.ts';
import type { ReceiverAnswer, WebhookMessage } from '../models/contract/webhook-message.ts';
import type { AudioBudget } from '../models/fairness/audio-budget.ts';
import type { FairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { Presence } from '../models/fairness/presence.ts';
import type { RatePace } from '../models/fairness/rate-pace.ts';
import type { RestingLane } from '../models/fairness/resting-lane.ts';
import type { InferencePool, Priority } from '../models/inference/jobs.ts';
import type { BatchWorkflows } from '../workflows/batch-workflows.ts';
import type { Decoder } from './decoder/decoder.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { ModelId } from '../models/contract/catalog.ts';

/** The state of a workflow, for the sweeper. */
export type WorkflowState = 'running' | 'closed' | 'absent';

/** Signs a message and posts it once. @throws without an answer */
export type SendWebhook = (message: WebhookMessage) => Promise<ReceiverAnswer>;

/** @throws ServiceError source_refused, source_rejected, source_unreachable, file_too_large */
export type FetchSource = (fetch: SourceFetch) => Promise<void>;

export interface ActivityDependencies {
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly pool: InferencePool;
  readonly decoder: Decoder;
  /** The priority of this worker's jobs: 1 when callers wait, 3 for bulk. */
  readonly priority: Priority;
  /** Organizations that wait for recordings, in both lanes. */
  readonly callers: Presence;
  /** Of bulk beside them. */
  readonly bulkPace: RestingLane;
  /** Of what is decoded for others, in seconds of audio. */
  readonly decodePace: RatePace;
  /** Limits concurrently opened recordings. */
  readonly openings: FairSemaphore;
  /** Limits what clips have beyond the length of short ones, in samples. */
  readonly clipAudio: AudioBudget;
  /** Limits concurrent spans, diarizations and groups of clips. */
  readonly spans: FairSemaphore;
  /** Limits concurrent webhook messages. */
  readonly senders: FairSemaphore;
  readonly metrics: WorkerMetrics;
  /** The affect model of a public model; null when that has no labels. */
  readonly affect: (model: ModelId) => AffectModel | null;
  /** The folder of this process in which recordings are fetched and decoded. */
  readonly temporaryDirectory: string;
  readonly workflowState: (workflowId: string) => Promise<WorkflowState>;
  readonly batches: BatchWorkflows;
  /** Seals the secrets of webhooks; null without a key, when none can be created or used. */
  readonly secretBox: SecretBox | null;
  readonly sendWebhook: SendWebhook;
  readonly fetchSource: FetchSource;
  /** Limits concurrent fetches of sources. */
  readonly fetchers: FairSemaphore;
}
