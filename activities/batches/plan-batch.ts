// Plans the next items of a batch: they are admitted as requests and grouped into work.
import { admitItems, isOpen, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { requireActiveAccount } from '../../db/account-status.ts';
import type { Container } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { ratePerMinute } from '../../models/contract/prices.ts';
import { groupItems } from '../../workflows/batch-plan.ts';
import type { BatchPlan, RunBatchInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { runActivity } from '../run-activity.ts';
import { batchRecording, recordingOf, requestOf } from './batch-recording.ts';

/**
 * Limits of one plan, which becomes one event of a history: items that it covers, and units of work
 * in it.
 */
const planItems = 500;
const planWorks = 20;

/** Items that have already ended are skipped, because a batch may be started again. */
export function planBatch(
  { db }: Pick<ActivityDependencies, 'db'>,
  { batchId, next, total }: RunBatchInput,
): Promise<BatchPlan> {
  return runActivity(async () => {
    const batch = await batchById(db, batchId);
    if (!batch) throw new ServiceError('not_found', 'The batch is gone.');
    await requireActiveAccount(db, batch.organizationId);
    const request = requestOf(batch);
    const to = Math.min(total, next + planItems);
    const items = await readItems(db, batchId, { from: next, to });
    const open = items.filter(isOpen);
    const sizes = open.map(({ position, container, bytes }) => {
      return { position, container: container as Container, bytes };
    });
    const groups = groupItems(sizes).slice(0, planWorks);
    const planned = groups.length < planWorks ? to : groups.at(-1)!.to;
    await admitItems(db, batch, { from: next, to: planned, ratePerMinute: ratePerMinute(request) });
    const byPosition = new Map(open.map((item) => [item.position, item]));
    const works = groups.map(({ kind, from, to: end }) => {
      if (kind === 'clips') return { kind, from, to: end };
      return batchRecording(recordingOf(batch, byPosition.get(from)!));
    });
    return { request, works, next: planned };
  });
}
