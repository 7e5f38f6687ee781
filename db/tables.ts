// Row types of every table but those of files and batches (batch-tables.ts). The migrations explain
// the columns.
import type { Generated, JSONColumnType } from 'kysely';
import type { Plan } from '../models/contract/plans.ts';
import type { SourceSecret } from '../models/contract/source.ts';
import type { SpectraTask } from '../models/contract/tasks.ts';
import type {
  BatchItemTable,
  BatchTable,
  FileTable,
  ItemProgressTable,
  RecordingTable,
  StorageTotalsTable,
  UploadTombstoneTable,
} from './batch-tables.ts';

export interface OrganizationTable {
  id: string;
  name: string;
  plan: Plan;
  suspended: Generated<boolean>;
  allowanceSeconds: number;
  overageSeconds: Generated<number | null>;
  periodAnchor: Generated<Date>;
  storageBytes: number | null;
  storageFiles: number | null;
  redactKinds: Generated<string[]>;
  redactNames: Generated<string[]>;
  vocabulary: Generated<string[]>;
  erasedAt: Date | null;
  createdAt: Generated<Date>;
}

export interface ApiKeyTable {
  id: string;
  organizationId: string;
  name: Generated<string>;
  prefix: string;
  secretHash: Buffer;
  expiresAt: Date | null;
  askedExpiresAt: Date | null;
  revokedAt: Date | null;
  requestsPerMinute: Generated<number>;
  maxConcurrent: Generated<number>;
  createdAt: Generated<Date>;
}

export type RequestState = 'admitted' | 'running' | 'completed' | 'failed' | 'closed';

export interface RequestTable {
  organizationId: string;
  requestId: string;
  fingerprint: string;
  keyId: string;
  task: string;
  model: string;
  state: Generated<RequestState>;
  attempt: Generated<number>;
  /** The attempt with which a trigger has seen the row begin. */
  firstAttempt: Generated<number>;
  uploadKey: string;
  billableSeconds: number | null;
  microusdPerMinute: Generated<number>;
  errorCode: string | null;
  errorMessage: string | null;
  errorParam: string | null;
  batchId: string | null;
  /** Set for items of batches. */
  uploadBytes: number | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type LedgerKind = 'reserve' | 'release' | 'debit' | 'grant';

export interface LedgerTable {
  id: Generated<number>;
  organizationId: string;
  requestId: string;
  attempt: number;
  kind: LedgerKind;
  seconds: number;
  microusd: Generated<number>;
  period: Date;
  createdAt: Generated<Date>;
}

/** Maintained by a trigger. */
export interface LedgerTotalsTable {
  organizationId: string;
  period: Date;
  seconds: number;
  microusd: number;
  grantedMicrousd: number;
}

/**
 * `file` and `batch` objects live as long as the rows that name them; the keys of `work` and
 * `batch` are prefixes.
 */
export type ObjectKind = 'upload' | 'work' | 'result' | 'file' | 'batch';

export interface ObjectTable {
  key: string;
  organizationId: string;
  kind: ObjectKind;
  createdAt: Generated<Date>;
}

/** `db/late-writes.ts`. */
export interface LateWriteTable {
  key: string;
  organizationId: string;
  expiresAt: Date;
  sweptAt: Generated<Date>;
}

export type AccessStatus = 'pending' | 'approved' | 'denied' | 'revoked';

export interface ModelAccessTable {
  organizationId: string;
  model: string;
  status: AccessStatus;
  useCase: string | null;
  updatedAt: Generated<Date>;
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditTable {
  id: Generated<number>;
  organizationId: string;
  actor: string;
  action: string;
  /** The driver parses it on reading. */
  details: JSONColumnType<AuditDetails>;
  createdAt: Generated<Date>;
}

export interface PreparedSessionTable {
  organizationId: string;
  sessionId: string;
  keyId: string;
  tokenHash: Buffer;
  slots: number;
  capacitySeconds: number;
  expiresAt: Date;
  closedAt: Date | null;
}

export type StreamCredentialKind = 'ticket' | 'client_token';

export interface StreamCredentialTable {
  hash: Buffer;
  kind: StreamCredentialKind;
  organizationId: string;
  keyId: string;
  sessionId: string | null;
  requestId: string | null;
  attempt: number | null;
  task: SpectraTask | null;
  coveredSeconds: number | null;
  expiresAt: Date;
  usedAt: Date | null;
}

export interface SweepPositionTable {
  name: string;
  position: string;
}

/** Aggregated debits of requests whose rows are gone. */
export interface UsageHistoryTable {
  organizationId: string;
  day: Date;
  model: string;
  task: string;
  requests: number;
  seconds: number;
  microusd: number;
}

export interface WebhookSecretTable {
  organizationId: string;
  secret: string;
  previousSecret: string | null;
  createdAt: Generated<Date>;
}

export interface SourceCredentialTable {
  organizationId: string;
  prefix: string;
  kind: SourceSecret['kind'];
  secret: string;
  createdAt: Generated<Date>;
}

export interface DecodeAttemptTable {
  organizationId: string;
  requestId: string;
  attempt: number;
  begun: number;
  updatedAt: Generated<Date>;
}

export interface QuarantinedAudioTable {
  organizationId: string;
  content: string;
  errorCode: string;
  errorMessage: string;
  createdAt: Generated<Date>;
}

export interface FailedDecodeTable {
  organizationId: string;
  minute: Date;
  milliseconds: number;
}

export interface Database {
  organizations: OrganizationTable;
  apiKeys: ApiKeyTable;
  requests: RequestTable;
  ledger: LedgerTable;
  ledgerTotals: LedgerTotalsTable;
  objects: ObjectTable;
  lateWrites: LateWriteTable;
  modelAccess: ModelAccessTable;
  audit: AuditTable;
  preparedSessions: PreparedSessionTable;
  streamCredentials: StreamCredentialTable;
  files: FileTable;
  batches: BatchTable;
  batchItems: BatchItemTable;
  itemProgress: ItemProgressTable;
  recordings: RecordingTable;
  webhookSecrets: WebhookSecretTable;
  sourceCredentials: SourceCredentialTable;
  uploadTombstones: UploadTombstoneTable;
  storageTotals: StorageTotalsTable;
  sweepPositions: SweepPositionTable;
  usageHistory: UsageHistoryTable;
  decodeAttempts: DecodeAttemptTable;
  quarantinedAudio: QuarantinedAudioTable;
  failedDecodes: FailedDecodeTable;
}
