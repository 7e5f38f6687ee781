// Row types of files, batches and their storage totals; the migrations explain the columns.
import type { Generated, Selectable } from 'kysely';
import type { BatchStatus } from '../models/contract/batch-status.ts';
import type { ModelId } from '../models/contract/catalog.ts';
import type { Container } from '../models/contract/containers.ts';
import type { ItemStage } from '../models/contract/item-progress.ts';
import type { SharedTask } from '../models/contract/tasks.ts';

export interface FileTable {
  id: string;
  organizationId: string;
  objectKey: string;
  filename: string;
  container: Container | null;
  bytes: number | null;
  sha256: string | null;
  /** The declared size of a presigned upload; it counts until `bytes` is known. */
  reservedBytes: number | null;
  /** The address of a recording that is still to be fetched, or from which it was. */
  sourceUrl: string | null;
  uploadExpiresAt: Date | null;
  idempotencyKey: string | null;
  fingerprint: string | null;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export interface UploadTombstoneTable {
  key: string;
  organizationId: string;
  bytes: number;
  expiresAt: Date;
  sweptAt: Generated<Date>;
}

/** Maintained by triggers. */
export interface StorageTotalsTable {
  organizationId: string;
  bytes: number;
  files: number;
  batchItems: number;
}

export interface BatchTable {
  id: string;
  organizationId: string;
  keyId: string;
  task: SharedTask;
  model: ModelId;
  /** JSON as text, since jsonb would not keep the order of a caller's own keys. */
  options: string;
  metadata: string;
  webhookUrl: string | null;
  status: Generated<BatchStatus>;
  total: number;
  /** Sum over all items. */
  bytes: number;
  /** Items whose recordings have not been fetched: they are 0 in `bytes`. */
  unsizedItems: Generated<number>;
  idempotencyKey: string | null;
  fingerprint: string | null;
  createdAt: Generated<Date>;
  inProgressAt: Date | null;
  cancellingAt: Date | null;
  endedAt: Date | null;
  expiresAt: Date;
  /** Computed once, when the batch has ended. */
  completedItems: number | null;
  failedItems: number | null;
  doneSeconds: number | null;
  doneBytes: number | null;
}

export interface BatchItemTable {
  batchId: string;
  position: number;
  customId: string;
  /** JSON as text, like a batch's. */
  metadata: string;
  fileId: string;
  objectKey: string;
  /** Empty until the recording has been fetched from its address; then `bytes` is 0. */
  container: Container | '';
  bytes: number;
}

/** An analysed item as the console lists it. */
export interface RecordingTable {
  batchId: string;
  position: number;
  organizationId: string;
  /** The caller's name of the item. */
  title: string;
  text: string;
  /** Generated from title and text. */
  search: Generated<unknown>;
  language: string | null;
  labels: string[];
  /** In the order of the speakers' numbers. */
  speakers: string[];
  durationSeconds: number;
  words: number;
  unsureWords: number;
  createdAt: Generated<Date>;
}

/** How far a long item has come. */
export interface ItemProgressTable {
  batchId: string;
  position: number;
  stage: ItemStage;
  /** The part of the whole that the stage takes, 0-1. */
  rangeFrom: number;
  rangeTo: number;
  /** Shares of the stage by the number of the part that has done them; JSON. */
  done: string;
  /** null until it is decoded. */
  audioSeconds: number | null;
}

export type BatchRow = Selectable<BatchTable>;

/** A row whose JSON is parsed. */
export interface StoredBatch extends Omit<BatchRow, 'options' | 'metadata'> {
  /** The options that `createBatch` received. */
  readonly options: unknown;
  readonly metadata: Record<string, string>;
}
