// The first activity of a recording: decode, detect speech, reserve, plan. A clip is finished here
// as well.
import { putJson } from '../db/stored-json.ts';
import { outlineFormat } from '../models/analysis/result/documents.ts';
import { registerObject } from '../db/object-rows.ts';
import { reserve } from '../db/settlement.ts';
import { sampleRate } from '../models/audio/sample-rate.ts';
import { billableSeconds } from '../models/contract/billing.ts';
import { clipSeconds, shortClipSeconds } from '../models/contract/clip.ts';
import { windowOf } from '../models/contract/served-models.ts';
import type { AnalyzeRecordingInput, OpenedRecording } from '../workflows/types.ts';
import { analyzeClip, type Clip } from '../models/analysis/analyze-clip.ts';
import { decodeRecording, type DecodedRecording } from './decode-recording.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { retryLater } from './failures.ts';
import { openPcmStore, type LongerClips } from './pcm-store.ts';
import { openSamples } from './pcm-sums.ts';
import { planWithLanguages } from '../models/analysis/plan-with-languages.ts';
import {
  claimOf,
  deleteWork,
  recordEarlierAttempt,
  recordingKeys,
  storePlan,
} from './recording-objects.ts';
import { itemReport } from './batches/report-item.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { withFairSlot } from './activity-slot.ts';
import {
  alreadySettled,
  registerResult,
  settledUnlessOpen,
  settleRecording,
} from './settle-recording.ts';
import { requireActiveBatchAccount } from './batches/batch-recording.ts';
import { withVocabulary } from './vocabulary.ts';
import { ratePerMinute } from '../models/contract/charge-rate.ts';
import { bytesOf } from '../models/audio/samples.ts';

/**
 * A caller gets an error at the first failure after this time, which is within 36 s of it; the
 * items of a batch wait until an outage ends.
 */
const interactiveOutageLimitMs = 20_000;

export function openRecording(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
): Promise<OpenedRecording> {
  const step = async (run: ActivityRun): Promise<OpenedRecording> => {
    const { organizationId } = recording;
    if (!recording.batch) dependencies.callers.seen(organizationId, performance.now());
    if (run.attempt > 1) await recordEarlierAttempt(dependencies, recording);
    if (run.attempt > 1 || recording.batch) {
      const settled = await alreadySettled(dependencies, recording);
      if (settled) return { kind: 'completed', ...settled };
    }
    await requireActiveBatchAccount(dependencies, recording);
    const body = async (): Promise<OpenedRecording> => {
      const share = dependencies.clipAudio.share();
      const longer = { clipSamples: clipSeconds * sampleRate, share };
      try {
        return await openInPlace(dependencies, recording, { run, longer });
      } finally {
        share.hold(0);
      }
    };
    const slotWork = { run, body };
    // A worker that stalls for longer than the timeout of a workflow task is given the task again,
    // and this step runs twice; after a crash as well, and it still reports attempt 1. The second
    // run finds the upload gone or the request completed, which is no failure. To ask beforehand
    // would be a round trip of every clip.
    const opening = withFairSlot(dependencies.openings, organizationId, slotWork);
    return opening.catch(async (error: unknown) => {
      const settled = await settledUnlessOpen(dependencies, recording, error);
      return { kind: 'completed', ...settled };
    });
  };
  return runActivity(step, {
    outageLimitMs: recording.batch ? undefined : interactiveOutageLimitMs,
  });
}

interface Opening {
  readonly run: ActivityRun;
  readonly longer: LongerClips;
}

async function openInPlace(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  { run, longer }: Opening,
): Promise<OpenedRecording> {
  const report = itemReport(dependencies, recording, { stage: 'opening' });
  await report(0);
  const decoded = await decode(dependencies, recording, { run, longer });
  const { audio, pcm, probabilities: channels } = decoded;
  if (pcm) {
    const request = await withVocabulary(dependencies, recording);
    const { reservationMs } = decoded;
    const clip = { ...decoded, pcm, request };
    return finishClip(dependencies, recording, { clip, reservationMs, run });
  }
  const { objects, pool, priority } = dependencies;
  const { activity, outline } = recordingKeys(recording);
  if (decoded.outline) await putJson(objects, outline, outlineFormat, decoded.outline);
  if (recording.options.diarize) {
    await objects.putBytes(activity, bytesOf(channels[0]!));
    return { kind: 'undiarized', audio };
  }
  const plan = await planWithLanguages(pool, recording, {
    ...{ channels, samples: audio.samples, finding: null },
    read: openSamples(objects, recordingKeys(recording).pcm),
    job: { organizationId: recording.organizationId, priority, signal: run.signal },
  });
  await itemReport(dependencies, recording, { stage: 'analyzing', audio })(0);
  return { kind: 'planned', audio, ...(await storePlan(objects, recording, plan)) };
}

async function decode(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  { run, longer }: Opening,
): Promise<DecodedRecording> {
  const { db, objects } = dependencies;
  const { pcm: key, prefix } = recordingKeys(recording);
  const { organizationId } = recording;
  // A lost worker may have stored its samples, and the key is write-once.
  if (run.attempt > 1) await objects.delete([key]);
  // The models that score fixed windows need all samples at once.
  const bounds = windowOf(recording.model)
    ? { clipSamples: longer.clipSamples }
    : { clipSamples: shortClipSeconds * sampleRate, longer };
  const openStore = () =>
    openPcmStore({
      objects,
      key,
      ...bounds,
      onStore: () => registerObject(db, { key: prefix, organizationId, kind: 'work' }),
    });
  return decodeRecording(dependencies, {
    recording,
    run,
    openStore,
    // The length is known now, so nothing is recognised that the account cannot pay for.
    onLength: (audio) =>
      reserve(db, claimOf(recording), billableSeconds(ratePerMinute(recording), audio)),
  }).catch((error: unknown) => {
    throw recording.batch ? retryLater(error) : error;
  });
}

interface ClipToFinish {
  readonly clip: Clip;
  readonly reservationMs: number;
  readonly run: ActivityRun;
}

/** Finishes a clip at once: only its result is stored. */
async function finishClip(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  { clip, reservationMs, run }: ClipToFinish,
): Promise<OpenedRecording> {
  const { pool, priority } = dependencies;
  const job = { organizationId: recording.organizationId, priority, signal: run.signal };
  const [analyzed] = await Promise.all([
    analyzeClip(pool, clip, job),
    registerResult(dependencies, recording),
  ]);
  const settled = await settleRecording(dependencies, recording, { ...analyzed, reservationMs });
  // Everything else of a clip is deleted after its answer.
  const { transcriptKey, vocabularyKey } = recording;
  if (transcriptKey || vocabularyKey) await deleteWork(dependencies, recording);
  return { kind: 'completed', ...settled };
}
