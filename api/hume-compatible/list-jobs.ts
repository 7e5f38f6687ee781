// The list of jobs, as Hume's client asks for it.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { countItemsOf } from '../../db/batch-counts.ts';
import { readItems } from '../../db/batch-items.ts';
import type { Db } from '../../db/database.ts';
import { listKeyedBatches, type BatchPhase, type KeyedBatches } from '../../db/keyed-batches.ts';
import { wholeNumberField } from '../http/form-fields.ts';
import { streamArray } from '../http/list-stream.ts';
import type { HumeJob } from '../results/hume-schemas.ts';
import { jobKeyPrefix } from './create-job.ts';
import { toHumeJob } from './job-view.ts';

const maxJobs = 100;
const defaultJobs = 50;
/** The last that the database's timestamps and JavaScript's dates can both express. */
const maxTimestampMs = 8_640_000_000_000;

const phaseOf = {
  QUEUED: 'queued',
  IN_PROGRESS: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
} as const satisfies Record<string, BatchPhase>;
const columnOf = { created: 'createdAt', started: 'inProgressAt', ended: 'endedAt' } as const;

const status = z.enum(Object.keys(phaseOf) as [keyof typeof phaseOf]);

export const humeJobsQuery = z.strictObject({
  limit: wholeNumberField({ min: 1, max: maxJobs })
    .default(defaultJobs)
    .meta({ override: { default: defaultJobs } }),
  status: z
    .union([status, z.array(status)])
    .transform((given) => (Array.isArray(given) ? given : [given]))
    .optional()
    .meta({
      description: 'May be repeated.',
      override: { type: 'array', items: { enum: Object.keys(phaseOf) } },
    }),
  when: z
    .enum(['created_before', 'created_after'])
    .optional()
    .describe('With `timestamp_ms`, which is now where it is absent.'),
  timestamp_ms: wholeNumberField({ min: 0, max: maxTimestampMs })
    .optional()
    .meta({ description: 'Unix milliseconds.' }),
  sort_by: z.enum(['created', 'started', 'ended']).default('created'),
  direction: z.enum(['asc', 'desc']).default('desc'),
});

/**
 * The body of the list, a JSON array: a hundred jobs may have ten thousand items.
 * @param query of the request
 */
export function streamJobs(
  db: Db,
  organizationId: string,
  query: z.output<typeof humeJobsQuery>,
): Promise<Readable> {
  return streamArray(organizationId, jobsOf(db, organizationId, query));
}

async function* jobsOf(
  db: Db,
  organizationId: string,
  query: z.output<typeof humeJobsQuery>,
): AsyncGenerator<HumeJob> {
  const batches = await listKeyedBatches(db, organizationId, selectionOf(query));
  const counts = await countItemsOf(db, batches);
  for (const batch of batches) {
    const items = await readItems(db, batch.id, { from: 0, to: batch.total });
    const id = batch.idempotencyKey!.slice(jobKeyPrefix.length);
    yield toHumeJob(id, batch, { counts: counts.get(batch.id)!, items });
  }
}

function selectionOf(query: z.output<typeof humeJobsQuery>): KeyedBatches {
  const { limit, status: statuses = [], when, direction } = query;
  const at = new Date(query.timestamp_ms ?? Date.now());
  return {
    ...{ keyPrefix: jobKeyPrefix, limit, direction, sortBy: columnOf[query.sort_by] },
    phases: statuses.map((name) => phaseOf[name]),
    created: when ? { isBefore: when === 'created_before', at } : null,
  };
}
