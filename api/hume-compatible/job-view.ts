// A batch as a job of Hume's clients.
import type { BatchCounts } from '../../db/batch-counts.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { humeContract } from '../results/hume-predictions.ts';
import type { HumeGranularity, HumeJob, HumeSource } from '../results/hume-schemas.ts';
import type { HumeConfig } from './request.ts';

export function toHumeJob(
  jobId: string,
  batch: StoredBatch,
  { counts, items }: { readonly counts: BatchCounts; readonly items: readonly BatchItem[] },
): HumeJob {
  const { granularity, identifySpeakers } = configOfBatch(batch);
  const sources = items.map(sourceOf);
  return {
    type: 'INFERENCE',
    job_id: jobId,
    request: {
      models: { prosody: { granularity, identify_speakers: identifySpeakers } },
      urls: sources.flatMap((source) => (source.type === 'url' ? [source.url] : [])),
      files: sources.flatMap((source) => {
        if (source.type === 'url') return [];
        const { type: _, ...file } = source;
        return [file];
      }),
      callback_url: null,
      notify: false,
    },
    state: stateOf(batch, counts, items),
    oruk: humeContract,
  };
}

export function configOfBatch({ metadata }: Pick<StoredBatch, 'metadata'>): HumeConfig {
  return {
    granularity: metadata.granularity as HumeGranularity,
    identifySpeakers: metadata.identify_speakers === 'true',
  };
}

export function sourceOf({ metadata, customId }: BatchItem): HumeSource {
  const { url, filename = customId, content_type: type = '', md5sum = '' } = metadata;
  if (url !== undefined) return { type: 'url', url };
  return { type: 'file', filename, content_type: type, md5sum };
}

/** A job of which no recording could be analysed has failed, with the reason of the first. */
function stateOf(
  { createdAt, inProgressAt, endedAt, status }: StoredBatch,
  { completed, failed, cancelled }: BatchCounts,
  items: readonly BatchItem[],
): HumeJob['state'] {
  const created = { created_timestamp_ms: createdAt.getTime() };
  if (endedAt === null && inProgressAt === null) return { status: 'QUEUED', ...created };
  const started = { ...created, started_timestamp_ms: (inProgressAt ?? createdAt).getTime() };
  if (endedAt === null) return { status: 'IN_PROGRESS', ...started };
  const ended = { ...started, ended_timestamp_ms: endedAt.getTime() };
  if (completed > 0) {
    const errors = failed + cancelled;
    return { status: 'COMPLETED', ...ended, num_predictions: completed, num_errors: errors };
  }
  const reason = items.find(({ error }) => error)?.error?.message;
  return { status: 'FAILED', ...ended, message: reason ?? `The job ended as ${status}.` };
}
