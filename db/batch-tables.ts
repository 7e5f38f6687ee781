// Row types of files, batches and what they take up; the migrations say what columns mean.
import type { Generated } from 'kysely';

export interface FileTable {
  id: string;
  organization_id: string;
  object_key: string;
  filename: string;
  container: string | null;
  bytes: number | null;
  sha256: string | null;
  /** Declared for an upload straight to storage; it counts until `bytes` is known. */
  reserved_bytes: number | null;
  upload_expires_at: Date | null;
  idempotency_key: string | null;
  fingerprint: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface UploadTombstoneTable {
  key: string;
  organization_id: string;
  /** A bigint, as text. */
  bytes: string;
  expires_at: Date;
  swept_at: Generated<Date>;
}

/** Kept by triggers; bigints, as text. */
export interface StorageTotalsTable {
  organization_id: string;
  bytes: string;
  files: string;
  batch_items: string;
}

/** OpenAI's states of a batch. */
export type BatchStatus =
  'validating' | 'in_progress' | 'finalizing' | 'completed' | 'failed' | 'cancelling' | 'cancelled';

export interface BatchTable {
  id: string;
  organization_id: string;
  key_id: string;
  task: string;
  model: string;
  /** JSON. */
  options: string;
  /** JSON. */
  metadata: string;
  webhook_url: string | null;
  status: Generated<BatchStatus>;
  total: number;
  /** Of all items; a bigint, as text. */
  bytes: string;
  idempotency_key: string | null;
  fingerprint: string | null;
  created_at: Generated<Date>;
  in_progress_at: Date | null;
  cancelling_at: Date | null;
  ended_at: Date | null;
  expires_at: Date;
  /** Counted once, when it has ended. */
  completed_items: number | null;
  failed_items: number | null;
  /** Bigints, as text. */
  done_seconds: string | null;
  done_bytes: string | null;
}

export interface BatchItemTable {
  batch_id: string;
  position: number;
  custom_id: string;
  /** JSON. */
  metadata: string;
  file_id: string;
  object_key: string;
  container: string;
  bytes: number;
}
