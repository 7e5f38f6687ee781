// What every activity needs, passed in by the worker.
import type { Db } from '../db/database.ts';
import type { ObjectStore } from '../db/object-store.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { AffectModel } from '../models/affect/select.ts';
import type { FairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { InferencePool, Priority } from '../models/inference/jobs.ts';
import type { BatchWorkflows } from '../workflows/types.ts';
import type { Decoder } from './decoder/decoder.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { ModelId } from '../models/contract/catalog.ts';

/** How a workflow stands, for the sweeper. */
export type WorkflowState = 'running' | 'closed' | 'absent';

/** Signs a message and posts it once. @returns the receiver's status @throws without an answer */
export type SendWebhook = (message: {
  readonly id: string;
  readonly url: URL;
  readonly secrets: readonly string[];
  /** Ids and states; never what was said in a recording. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: object };
}) => Promise<number>;

export interface ActivityDependencies {
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly pool: InferencePool;
  readonly decoder: Decoder;
  /** Of all jobs of this lane: 1 where callers wait, 3 for bulk. */
  readonly priority: Priority;
  /** Recordings that are opened at once. */
  readonly openings: FairSemaphore;
  /** Spans, diarizations and groups of clips that are under way at once. */
  readonly spans: FairSemaphore;
  /** Webhook messages that are sent at once. */
  readonly senders: FairSemaphore;
  readonly metrics: WorkerMetrics;
  /** When a public model selects a label; null when it has no labels. */
  readonly affect: (model: ModelId) => AffectModel | null;
  /** Uploads are decoded from files here. */
  readonly temporaryDirectory: string;
  readonly workflowState: (workflowId: string) => Promise<WorkflowState>;
  readonly batches: BatchWorkflows;
  /** Seals the secrets of webhooks; null where no key was given: none can be made or used. */
  readonly secretBox: SecretBox | null;
  readonly sendWebhook: SendWebhook;
}
