// Clips of a batch in one activity: each is decoded and analysed, the ledger is written for all at
// once.
import { log } from '@temporalio/activity';
import { requireActiveAccount } from '../../db/account-status.ts';
import { isOpen, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { recordLateWrite } from '../../db/late-writes.ts';
import { batchPrefix } from '../../db/object-keys.ts';
import { ObjectDamaged } from '../../db/objects/object-reads.ts';
import { reserveAll, settleAll } from '../../db/settlement.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { billableSeconds } from '../../models/contract/billing.ts';
import { batchClipSeconds } from '../../models/contract/clip.ts';
import type {
  AnalyzeRecordingInput,
  BatchRecording,
  ClipGroupInput,
  ClipGroupOutcome,
} from '../../workflows/types.ts';
import { analyzeClip, type Clip } from '../../models/analysis/analyze-clip.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import { createRecentSet } from '../../models/concurrency/recent-set.ts';
import { decodeRecording } from '../decode-recording.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { contentsOf } from '../guarded-decode.ts';
import { isRemote } from '../../models/contract/recording-request.ts';
import { describeRejection } from '../failures.ts';
import { openPcmStore } from '../pcm-store.ts';
import { recordFailure } from '../record-failure.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { withFairSlot } from '../activity-slot.ts';
import {
  countCompleted,
  indexResults,
  storeResult,
  type StoredResult,
} from '../settle-recording.ts';
import {
  batchRecording,
  recordingOf,
  requireActiveBatchAccount,
  vocabularyOfBatch,
} from './batch-recording.ts';
import { withTerms } from '../vocabulary.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';

/**
 * Clips opened beyond the number of processes, so that samples arrive while others are inferred.
 */
const spareClips = 1;
/** Concurrent clips: those that wait at the same time are decoded together. */
const analyzedClips = 24;

/** The recording is too long for a clip. */
class TooLongForGroup extends Error {
  override readonly name = 'TooLongForGroup';
}

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
  const limit = pool.size + spareClips;
  const { clips, long } = await openClips(dependencies, recordings, { organizationId, run, limit });
  const reserved = await accepted(dependencies, clips, {
    step: reserveAll,
    usage: ({ recording, clip }) => billableSeconds(ratePerMinute(recording), clip.audio),
  });
  const results: StoredResult[] = [];
  let done = 0;
  const analyzing = eachLimited(reserved, analyzedClips, async ({ recording, clip }) => {
    await failingItemOnRejection(dependencies, recording, async () => {
      await requireActiveBatchAccount(dependencies, recording);
      const asked = { ...clip, request: withTerms(clip.request, terms) };
      const analyzed = await analyzeClip(pool, asked, job);
      results.push(await storeResult(dependencies, recording, analyzed));
    });
    run.report({ clip: (done += 1), total: reserved.length });
  });
  // What has been analysed is settled before a failure repeats the rest.
  const failure = await analyzing.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (failure) run.signal.throwIfAborted();
  await indexResults(dependencies, results);
  const settled = await accepted(dependencies, results, {
    step: settleAll,
    usage: (result) => result.billableSeconds,
  });
  for (const result of settled) countCompleted(dependencies, result);
  if (failure) throw failure.error;
  return { long, done: items.length - long.length };
}

interface OpenedClip {
  readonly recording: AnalyzeRecordingInput;
  readonly clip: Clip;
}

interface OpenedClips {
  readonly clips: readonly OpenedClip[];
  readonly long: readonly BatchRecording[];
}

interface OpenClipsOptions {
  readonly organizationId: string;
  readonly run: ActivityRun;
  readonly limit: number;
}

async function openClips(
  dependencies: ActivityDependencies,
  recordings: readonly AnalyzeRecordingInput[],
  { organizationId, run, limit }: OpenClipsOptions,
): Promise<OpenedClips> {
  const clips: OpenedClip[] = [];
  const long: BatchRecording[] = [];
  // Once for all of the group: it is asked for again before each is analysed.
  const isActive = requireActiveAccount(dependencies.db, organizationId);
  isActive.catch(() => {});
  const open = (recording: AnalyzeRecordingInput): Promise<void> =>
    failingItemOnRejection(dependencies, recording, async () => {
      run.signal.throwIfAborted();
      await isActive;
      const clip = await openClip(dependencies, recording, run);
      if (clip) clips.push({ recording, clip });
      else long.push(batchRecording(recording));
    });
  await eachLimited(recordings, limit, (recording) =>
    dependencies.bulkPace.run(() => open(recording)),
  );
  return { clips, long };
}

/**
 * Files of which this process knows that they are longer than a clip: thousands of items may name
 * the same one, and each would cost half a minute of decoding and a decoder process.
 */
const longFiles = createRecentSet(10_000);

/** Returns null for a recording that needs a workflow of its own. */
async function openClip(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  run: ActivityRun,
): Promise<Clip | null> {
  const names = contentsOf(recording).map((content) => `${recording.organizationId} ${content}`);
  if (names.some((name) => longFiles.has(name))) return null;
  const openStore = () =>
    openPcmStore({
      objects: dependencies.objects,
      key: '',
      clipSamples: batchClipSeconds * sampleRate,
      onStore: () => Promise.reject(new TooLongForGroup()),
    });
  try {
    const decoded = await decodeRecording(dependencies, { recording, run, openStore });
    return { ...decoded, pcm: decoded.pcm! };
  } catch (error) {
    // What has to wait, for its organization's decoding budget or for storage to give out this one
    // object, waits in its own workflow.
    const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
    const waits = isLimited || error instanceof ObjectDamaged;
    const isLong = error instanceof TooLongForGroup;
    if (isLong) for (const name of names) longFiles.add(name);
    if (isLong || waits) return null;
    throw error;
  }
}

/** A failure that the recording caused ends its item; every other error is thrown. */
async function failingItemOnRejection(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  recording: AnalyzeRecordingInput,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const rejection = describeRejection(error);
    if (!rejection) throw error;
    if (rejection.code === 'internal_error') {
      log.error('item failed', { requestId: recording.requestId, error });
    }
    await recordFailure(dependencies, recording, rejection);
  }
}

interface LedgerStep<T> {
  readonly step: typeof reserveAll;
  readonly usage: (of: T) => number;
}

/** The entries that the ledger accepts; the items of the others end as failed. */
async function accepted<T extends { readonly recording: AnalyzeRecordingInput }>(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  group: readonly T[],
  { step, usage }: LedgerStep<T>,
): Promise<readonly T[]> {
  if (group.length === 0) return [];
  const { organizationId } = group[0]!.recording;
  const attempts = group.map((each) => {
    const { requestId, attempt } = each.recording;
    return { requestId, attempt, seconds: usage(each) };
  });
  const outcome = await step(dependencies.db, { organizationId, attempts });
  for (const [i, rejected] of outcome.entries()) {
    const rejection = rejected && describeRejection(rejected);
    if (rejection) await recordFailure(dependencies, group[i]!.recording, rejection);
  }
  return group.filter((_, i) => !outcome[i]);
}
