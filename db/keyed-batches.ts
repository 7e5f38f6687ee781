// Batches that were created under keys of one prefix: the jobs of a compatible API.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { StoredBatch } from './batch-tables.ts';
import { isKept, toBatch } from './batches.ts';

export type BatchPhase = 'queued' | 'running' | 'completed' | 'failed';

export interface KeyedBatches {
  readonly keyPrefix: string;
  readonly limit: number;
  /** Empty for all. */
  readonly phases: readonly BatchPhase[];
  /** Created in an earlier or a later millisecond; null at any time. */
  readonly created: { readonly isBefore: boolean; readonly at: Date } | null;
  readonly sortBy: 'createdAt' | 'inProgressAt' | 'endedAt';
  readonly direction: 'asc' | 'desc';
}

/** A batch of which nothing could be analysed has failed. */
const phase = sql<BatchPhase>`CASE
  WHEN ended_at IS NULL AND in_progress_at IS NULL THEN 'queued'
  WHEN ended_at IS NULL THEN 'running'
  WHEN completed_items > 0 THEN 'completed'
  ELSE 'failed' END`;

/** Those without the time that they are sorted by come last. */
export async function listKeyedBatches(
  db: Db,
  organizationId: string,
  { keyPrefix, limit, phases, created, sortBy, direction }: KeyedBatches,
): Promise<readonly StoredBatch[]> {
  let query = db
    .selectFrom('batches')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where(sql<boolean>`starts_with(idempotency_key, ${keyPrefix})`)
    .where(isKept);
  if (phases.length > 0) query = query.where(phase, '=', sql<BatchPhase>`any(${[...phases]})`);
  if (created?.isBefore) query = query.where('createdAt', '<', created.at);
  // The column has microseconds, of which callers are shown the milliseconds.
  else if (created) query = query.where('createdAt', '>=', new Date(created.at.getTime() + 1));
  const rows = await query
    .orderBy(sortBy, (order) => (direction === 'asc' ? order.asc() : order.desc()).nullsLast())
    .orderBy('id', direction)
    .limit(limit)
    .execute();
  return rows.map(toBatch);
}
