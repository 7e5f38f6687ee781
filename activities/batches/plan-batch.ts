// Plans the next items of a batch: they are admitted as requests and grouped into work.
import { admitItems, endOpenItems, isOpen, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { verdictsOf, type DecodeVerdict } from '../../db/decodes.ts';
import { requireActiveAccount } from '../../db/account-status.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { verdictError } from '../../models/contract/decode-errors.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import { endOf, groupItems, maxGroupItems } from '../../workflows/item-groups.ts';
import type { BatchPlan, PlanBatchInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { contentsOf } from '../guarded-decode.ts';
import { runActivity } from '../run-activity.ts';
import { batchRecording, recordingOf, requestOf } from './batch-recording.ts';

/** Units of work in one plan, which becomes one event of a history. */
const maxWorks = 20;
/**
 * Units of work that are planned, and in progress, at the start of a batch: twice the spans of a
 * worker on two cores, so that none of them waits, and little is lost when it is cancelled soon.
 */
const firstWindow = 6;

/** Items that have already ended are skipped, because a batch may be started again. */
export function planBatch(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  { batchId, next, total, works: asked = firstWindow }: PlanBatchInput,
): Promise<BatchPlan> {
  return runActivity(async () => {
    const { db } = dependencies;
    const batch = await batchById(db, batchId);
    if (!batch) throw new ServiceError('not_found', 'The batch is gone.');
    await requireActiveAccount(db, batch.organizationId);
    const request = requestOf(batch);
    // Its workflow may not be notified for minutes, and its items end as cancelled in any case.
    if (batch.status === 'cancelling') return { request, works: [], next: total, firstWindow };
    const most = Math.min(maxWorks, asked);
    const to = Math.min(total, next + most * maxGroupItems);
    const items = await readItems(db, batchId, { from: next, to });
    const open = items.filter(isOpen);
    const contents = (item: BatchItem): readonly string[] => contentsOf(recordingOf(batch, item));
    const verdicts = await verdictsOf(db, batch.organizationId, new Set(open.flatMap(contents)));
    const verdictOf = (item: BatchItem): DecodeVerdict | undefined =>
      contents(item)
        .map((content) => verdicts.get(content))
        .find(Boolean);
    const groups = groupItems(open.filter((item) => !verdictOf(item))).slice(0, most);
    const planned = groups.length < most ? to : endOf(groups.at(-1)!);
    await admitItems(db, batch, { from: next, to: planned, ratePerMinute: ratePerMinute(request) });
    const known = open.filter((item) => item.position < planned && verdictOf(item));
    const byVerdict = Map.groupBy(known, (item) => verdictOf(item)!);
    await rejectKnown(dependencies, batchId, byVerdict);
    const works = groups.map((group) =>
      group.kind === 'clips' ? group : batchRecording(recordingOf(batch, group.item)),
    );
    return { request, works, next: planned, firstWindow };
  });
}

/** Files that have killed a decoder end their items at once: thousands may name the same one. */
async function rejectKnown(
  { db, metrics }: Pick<ActivityDependencies, 'db' | 'metrics'>,
  batchId: string,
  known: ReadonlyMap<DecodeVerdict, readonly BatchItem[]>,
): Promise<void> {
  for (const [verdict, items] of known) {
    const { code, message, param } = verdictError(verdict);
    const positions = items.map(({ position }) => position);
    const end = { state: 'failed', code, message, param, positions } as const;
    const count = await endOpenItems(db, batchId, end);
    if (count > 0) metrics.failed({ code, bulk: true, count });
  }
}
