// Row types of every table but those of files and batches (batch-tables.ts); what the columns mean
// is said in the migrations.
import type { Generated } from 'kysely';
import type {
  BatchItemTable,
  BatchTable,
  FileTable,
  StorageTotalsTable,
  UploadTombstoneTable,
} from './batch-tables.ts';

export type Plan = 'trial' | 'subscription' | 'credits';

export interface OrganizationTable {
  id: string;
  name: string;
  plan: Plan;
  suspended: Generated<boolean>;
  allowance_seconds: number;
  overage_seconds: Generated<number | null>;
  period_anchor: Generated<Date>;
  /** A bigint, as text. */
  storage_bytes: string | null;
  storage_files: number | null;
  created_at: Generated<Date>;
}

export interface ApiKeyTable {
  id: string;
  organization_id: string;
  name: Generated<string>;
  prefix: string;
  secret_hash: Buffer;
  expires_at: Date | null;
  asked_expires_at: Date | null;
  revoked_at: Date | null;
  requests_per_minute: Generated<number>;
  max_concurrent: Generated<number>;
  created_at: Generated<Date>;
}

export type RequestState = 'admitted' | 'running' | 'completed' | 'failed' | 'closed';

export interface RequestTable {
  organization_id: string;
  request_id: string;
  fingerprint: string;
  key_id: string;
  task: string;
  model: string;
  state: Generated<RequestState>;
  attempt: Generated<number>;
  upload_key: string;
  billable_seconds: number | null;
  microusd_per_minute: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  error_param: string | null;
  batch_id: string | null;
  /** Of an item of a batch. */
  upload_bytes: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type LedgerKind = 'reserve' | 'release' | 'debit' | 'grant';

export interface LedgerTable {
  id: Generated<string>;
  organization_id: string;
  request_id: string;
  attempt: number;
  kind: LedgerKind;
  seconds: number;
  /** A bigint, as text. */
  microusd: Generated<string>;
  period: Date;
  created_at: Generated<Date>;
}

/** Kept by a trigger; bigints, as text. */
export interface LedgerTotalsTable {
  organization_id: string;
  period: Date;
  seconds: string;
  microusd: string;
  granted_microusd: string;
}

/** `file` and `batch` live as long as the rows that name them; of `work` and `batch` prefixes. */
export type ObjectKind = 'upload' | 'work' | 'result' | 'file' | 'batch';

export interface ObjectTable {
  key: string;
  organization_id: string;
  kind: ObjectKind;
  created_at: Generated<Date>;
}

export type AccessStatus = 'pending' | 'approved' | 'denied' | 'revoked';

export interface ModelAccessTable {
  organization_id: string;
  model: string;
  status: AccessStatus;
  use_case: string | null;
  updated_at: Generated<Date>;
}

export interface AuditTable {
  id: Generated<string>;
  organization_id: string;
  actor: string;
  action: string;
  /** JSON. */
  details: string;
  created_at: Generated<Date>;
}

export interface PreparedSessionTable {
  organization_id: string;
  session_id: string;
  key_id: string;
  token_hash: Buffer;
  slots: number;
  capacity_seconds: number;
  expires_at: Date;
  closed_at: Date | null;
}

export type StreamCredentialKind = 'ticket' | 'client_token';

export interface StreamCredentialTable {
  hash: Buffer;
  kind: StreamCredentialKind;
  organization_id: string;
  key_id: string;
  session_id: string | null;
  request_id: string | null;
  attempt: number | null;
  task: string | null;
  covered_seconds: number | null;
  expires_at: Date;
  used_at: Date | null;
}

export interface SweepPositionTable {
  name: string;
  position: string;
}

/** Debits of requests whose rows are gone; bigints, as text. */
export interface UsageHistoryTable {
  organization_id: string;
  day: Date;
  model: string;
  task: string;
  requests: string;
  seconds: string;
  microusd: string;
}

export interface WebhookSecretTable {
  organization_id: string;
  secret: string;
  previous_secret: string | null;
  created_at: Generated<Date>;
}

export interface DecodeAttemptTable {
  organization_id: string;
  request_id: string;
  attempt: number;
  begun: number;
  updated_at: Generated<Date>;
}

export interface QuarantinedAudioTable {
  organization_id: string;
  content: string;
  error_code: string;
  error_message: string;
  created_at: Generated<Date>;
}

export interface FailedDecodeTable {
  organization_id: string;
  minute: Date;
  /** A bigint, as text. */
  milliseconds: string;
}

export interface Database {
  organizations: OrganizationTable;
  api_keys: ApiKeyTable;
  requests: RequestTable;
  ledger: LedgerTable;
  ledger_totals: LedgerTotalsTable;
  objects: ObjectTable;
  model_access: ModelAccessTable;
  audit: AuditTable;
  prepared_sessions: PreparedSessionTable;
  stream_credentials: StreamCredentialTable;
  files: FileTable;
  batches: BatchTable;
  batch_items: BatchItemTable;
  webhook_secrets: WebhookSecretTable;
  upload_tombstones: UploadTombstoneTable;
  storage_totals: StorageTotalsTable;
  sweep_positions: SweepPositionTable;
  usage_history: UsageHistoryTable;
  decode_attempts: DecodeAttemptTable;
  quarantined_audio: QuarantinedAudioTable;
  failed_decodes: FailedDecodeTable;
}
