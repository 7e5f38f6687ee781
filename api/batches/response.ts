// Maps rows of batches and items to the API's objects.
import type { BatchCounts } from '../../db/batch-counts.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { toUnixSeconds } from '../files/response.ts';
import { optionsOf, toOptionsBody } from './batch-options.ts';
import type { BatchBody, BatchItemBody } from './schemas.ts';

/** @param nowMs Unix milliseconds, for the estimate */
export function toBatchBody(batch: StoredBatch, counts: BatchCounts, nowMs: number): BatchBody {
  const { status, endedAt, total } = batch;
  const { completed, failed, cancelled, billableSeconds } = counts;
  const at = (date: Date | null): number | null => date && toUnixSeconds(date);
  const endedAs = (...ends: readonly string[]): number | null =>
    ends.includes(status) ? at(endedAt) : null;
  const estimate = endedAt ? { left: 0, endsAtMs: null } : estimateEnd(batch, counts, nowMs);
  return {
    id: batch.id,
    object: 'batch',
    task: batch.task,
    model: batch.model as BatchBody['model'],
    options: toOptionsBody(optionsOf(batch)),
    status,
    request_counts: { total, completed, failed, cancelled },
    progress: endedAt ? 1 : toShare((completed + failed + cancelled + counts.begun.items) / total),
    audio_seconds: { done: billableSeconds, left: estimate.left },
    estimated_completion_at:
      estimate.endsAtMs === null ? null : Math.round(estimate.endsAtMs / 1_000),
    created_at: toUnixSeconds(batch.createdAt),
    in_progress_at: at(batch.inProgressAt),
    finalizing_at: endedAs('completed'),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    cancelling_at: at(batch.cancellingAt),
    cancelled_at: endedAs('cancelled'),
    expires_at: endedAt && toUnixSeconds(batch.expiresAt),
    webhook: batch.webhookUrl === null ? null : { url: batch.webhookUrl },
    metadata: batch.metadata,
  };
}

interface Estimate {
  /** Seconds of audio. */
  readonly left: number | null;
  readonly endsAtMs: number | null;
}

/**
 * Assumes that the remaining audio takes as long per byte as the part that is done, which holds
 * when the formats are evenly mixed, and that recordings which are still to be fetched are as large
 * as the others.
 */
function estimateEnd(
  { inProgressAt: startedAt, bytes, total, unsizedItems }: StoredBatch,
  { billableSeconds, endedBytes, endedUnsized, begun }: BatchCounts,
  nowMs: number,
): Estimate {
  const doneSeconds = billableSeconds + begun.seconds;
  const doneBytes = endedBytes + begun.bytes;
  const sizedItems = total - unsizedItems;
  const isKnown = startedAt && sizedItems > 0 && doneBytes > 0 && doneSeconds > 0;
  if (!isKnown) return { left: null, endsAtMs: null };
  const meanBytes = bytes / sizedItems;
  const unfetchedBytes = Math.max(0, unsizedItems - endedUnsized) * meanBytes;
  const share = (Math.max(0, bytes - doneBytes) + unfetchedBytes) / doneBytes;
  const left = Math.round(doneSeconds * share);
  return { left, endsAtMs: nowMs + (nowMs - startedAt.getTime()) * share };
}

export function toItemBody(item: BatchItem): BatchItemBody {
  const { position, customId, fileId, status, billableSeconds, error, metadata } = item;
  const { progress } = item;
  return {
    id: customId,
    object: 'batch.item',
    index: position,
    custom_id: customId,
    file_id: fileId,
    status,
    progress: progress && { stage: progress.stage, share: toShare(progress.share) },
    audio_seconds: billableSeconds,
    error,
    metadata,
  };
}

/** Rounded, so that what has not changed for people is no change. */
function toShare(share: number): number {
  return Math.round(100 * Math.min(1, share)) / 100;
}
