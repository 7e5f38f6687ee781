// Clips of a batch in one activity: each is decoded and analysed, the ledger is written for many
// at once.
import { Context } from '@temporalio/activity';
import { isOpen, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { recordLateWrite } from '../../db/late-writes.ts';
import { batchPrefix } from '../../db/object-keys.ts';
import { reserveAll } from '../../db/settlement.ts';
import { billableSeconds } from '../../models/contract/billing.ts';
import type { ClipGroupInput, ClipGroupOutcome } from '../../workflows/types.ts';
import { analyzeClip } from '../../models/analysis/analyze-clip.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { isRemote } from '../../models/contract/recording-request.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { withFairSlot } from '../activity-slot.ts';
import { storeResult } from '../settle-recording.ts';
import { recordingOf, requireActiveBatchAccount, vocabularyOfBatch } from './batch-recording.ts';
import { accepted, failingItemOnRejection } from './item-rejections.ts';
import { openClips } from './open-clips.ts';
import { openSettlement } from './settle-clips.ts';
import { withTerms } from '../vocabulary.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';

/** Concurrent clips: those that wait at the same time are decoded together. */
const analyzedClips = 24;

/**
 * Analyses the open clips of the group. Each ends as completed or failed; those that are too long
 * are returned. An outage of storage or database fails the activity, which Temporal then retries.
 */
export function analyzeClips(
  dependencies: ActivityDependencies,
  group: ClipGroupInput,
): Promise<ClipGroupOutcome> {
  return runActivity(async (run) => {
    const batch = await batchById(dependencies.db, group.batchId);
    if (!batch) return { long: [], done: 0 };
    const { organizationId } = batch;
    const body = async (): Promise<ClipGroupOutcome> => {
      if (run.attempt > 1) {
        const key = batchPrefix(organizationId, batch.id);
        await recordLateWrite(dependencies.db, { key, organizationId });
      }
      return analyzeInPlace(dependencies, { ...group, batch }, run);
    };
    return withFairSlot(dependencies.spans, organizationId, { run, body });
  });
}

async function analyzeInPlace(
  dependencies: ActivityDependencies,
  { batch, batchId, from, to }: ClipGroupInput & { readonly batch: StoredBatch },
  run: ActivityRun,
): Promise<ClipGroupOutcome> {
  const { db, pool, priority } = dependencies;
  const { organizationId } = batch;
  const job = { organizationId, priority, signal: run.signal };
  const terms = vocabularyOfBatch(batch);
  const items = await readItems(db, batchId, { from, to });
  const recordings = items.filter(isOpen).flatMap(({ position, upload }) => {
    // Groups contain none that has to be fetched first.
    return isRemote(upload) ? [] : [recordingOf(batch, { position, upload })];
  });
  const { clips, long } = await openClips(dependencies, recordings, { organizationId, run });
  const reserved = await accepted(dependencies, clips, {
    step: reserveAll,
    usage: ({ recording, clip }) => billableSeconds(ratePerMinute(recording), clip.audio),
  });
  const settlement = openSettlement(dependencies);
  let done = 0;
  const analyzing = eachLimited(reserved, analyzedClips, async ({ recording, clip }) => {
    const result = await failingItemOnRejection(dependencies, recording, async () => {
      await requireActiveBatchAccount(dependencies, recording);
      const asked = { ...clip, request: withTerms(clip.request, terms) };
      const analyzed = await analyzeClip(pool, asked, job);
      return storeResult(dependencies, recording, analyzed);
    });
    if (result) await settlement.add(result);
    run.report({ clip: (done += 1), total: reserved.length });
  });
  const failure = await analyzing.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  // What has been analysed is settled before a failure, the end of the step's time or that of the
  // worker repeats the rest; the items of a cancelled batch are not charged.
  const isCancelled = Context.current().cancellationDetails?.cancelRequested;
  if (failure && isCancelled) throw failure.error;
  await settlement.end();
  if (failure) throw failure.error;
  return { long, done: items.length - long.length };
}
