// The next items of a batch: admitted as requests, and grouped into work.
import { admitItems, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import type { Container } from '../../models/audio/container.ts';
import { ratePerMinute } from '../../models/prices.ts';
import { groupItems } from '../../workflows/batch-plan.ts';
import type { BatchPlan, RunBatchInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { runActivity } from '../run-activity.ts';
import { batchRecording, recordingOf, requestOf } from './batch-recording.ts';

/** Items of one plan: as many groups as a workflow task can well carry. */
const planItems = 200;

/** Items that have ended before are left out: a batch may be begun again. */
export function planBatch(
  { db }: Pick<ActivityDependencies, 'db'>,
  { batchId, next, total }: RunBatchInput,
): Promise<BatchPlan> {
  return runActivity(async () => {
    const batch = await batchById(db, batchId);
    const to = Math.min(total, next + planItems);
    if (!batch) return { works: [], next: total };
    const rate = ratePerMinute(requestOf(batch));
    await admitItems(db, batch, { from: next, to, ratePerMinute: rate });
    const items = await readItems(db, batchId, { from: next, to });
    const open = items.filter(({ status }) => status === 'queued' || status === 'running');
    const groups = groupItems(
      open.map(({ position, container, bytes }) => {
        return { position, container: container as Container, bytes };
      }),
    );
    const byPosition = new Map(open.map((item) => [item.position, item]));
    const works = groups.map(({ kind, from, to: end }) => {
      if (kind === 'clips') return { kind, from, to: end };
      return batchRecording(recordingOf(batch, byPosition.get(from)!));
    });
    return { works, next: to };
  });
}
