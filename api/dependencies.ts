// What the app needs, passed in by `main.ts` and by tests.
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Account } from '../db/api-keys.ts';
import type { Db } from '../db/database.ts';
import type { ObjectStore } from '../db/object-store.ts';
import type { Places } from '../db/places.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { FairGate } from '../models/fairness/fair-gate.ts';
import type { BatchParser } from './batches/batch-parser.ts';
import type { BatchWorkflows } from '../workflows/types.ts';
import type { BatchFeed } from './batches/feed.ts';
import type { Readiness } from './health/readiness.ts';
import type { ResultWriter } from './results/writer.ts';
import type { Runs } from './runs/runs.ts';
import type { CredentialFailures } from './http/credential-failures.ts';
import type { PreparedSessions } from './sessions/prepared-sessions.ts';
import type { UploadDeadlines } from './http/deadlines.ts';
import type { BodyGates, HeldPlace } from './http/places.ts';
import type { AllowedNetworks } from './webhooks/receiver.ts';

export interface AppDependencies {
  readonly db: Db;
  readonly objects: ObjectStore;
  /** What keys hold open. */
  readonly places: Places;
  readonly runs: Runs;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly credentialFailures: CredentialFailures;
  readonly metrics: Registry;
  readonly uploadDeadlines: UploadDeadlines;
  /** Bodies that are taken in at once; more are 429 `rate_limited`. */
  readonly bodies: BodyGates;
  /** Spectra-2 recordings taken at once; more are 429 `upload_busy`. */
  readonly spectraUploads: FairGate;
  readonly sessions: PreparedSessions;
  readonly batches: BatchWorkflows;
  readonly batchParser: BatchParser;
  readonly batchFeed: BatchFeed;
  readonly resultWriter: ResultWriter;
  /** Seals the secrets of webhooks; null where no key was given: none can be made or used. */
  readonly secretBox: SecretBox | null;
  /** Private networks that webhooks may go to. */
  readonly webhookNetworks: AllowedNetworks;
  /** Whether a prepared session may open streams. */
  readonly directStreaming: boolean;
  /** Base address that clients use; null takes the one that a request came to. */
  readonly publicUrl: string | null;
}

/** What middleware leaves for the routes. */
export interface RequestState {
  requestId: string;
  /** Set behind `authenticate`. */
  account: Account;
  /** Set behind `limitConcurrency`. */
  place: HeldPlace;
}
