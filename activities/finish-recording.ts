// The last activities of a recording: assemble and settle it, or end it as failed. Both delete its
// working objects.
import { getJson } from '../db/stored-json.ts';
import { chunkFormat, outlineFormat, planFormat } from '../models/analysis/documents.ts';
import { log } from '@temporalio/activity';
import { closeRequest, failRequest, unclaimRequest } from '../db/requests.ts';
import type { AnalyzedChunk } from '../models/analysis/assemble.ts';
import type { RecordingPlan } from '../models/analysis/plan.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  FailRecordingInput,
  FinishRecordingInput,
} from '../workflows/types.ts';
import { eachLimited } from '../models/analysis/each-limited.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openSamples } from './pcm-sums.ts';
import { deleteWork, recordingKeys } from './recording-objects.ts';
import { runActivity } from './run-activity.ts';
import { alreadySettled, registerResult, settleRecording } from './settle-recording.ts';

const readsInFlight = 8;
const unadmitted: readonly string[] = [
  'account_suspended',
  'allowance_exhausted',
  'session_capacity_unavailable',
  'rate_limited',
];

/**
 * Assembles the chunks, stores the result, debits and completes the request, and deletes the
 * working objects.
 */
export function finishRecording(
  dependencies: ActivityDependencies,
  { recording, audio }: FinishRecordingInput,
): Promise<AnalyzeRecordingResult> {
  return runActivity(async ({ attempt, signal }) => {
    const settled = attempt > 1 ? await alreadySettled(dependencies, recording) : null;
    if (settled) {
      await deleteWork(dependencies, recording);
      return settled;
    }
    const { objects, priority } = dependencies;
    const keys = recordingKeys(recording);
    const stored = await getJson(objects, keys.plan, planFormat);
    const plan = await withOutline(objects, recording, stored);
    const chunks: AnalyzedChunk[] = [];
    await eachLimited(plan.chunks, readsInFlight, async ({ index }) => {
      chunks.push(await getJson(objects, keys.chunk(index), chunkFormat));
    });
    await registerResult(dependencies, recording);
    const read = openSamples(objects, keys.pcm);
    const { organizationId } = recording;
    const job = { organizationId, priority, signal };
    const analyzed = { request: recording, audio, plan, chunks, read, job };
    const result = await settleRecording(dependencies, recording, analyzed);
    await deleteWork(dependencies, recording);
    return result;
  });
}

/** The outline comes from the decoder, while the plan may come from the diarizer. */
async function withOutline(
  objects: ActivityDependencies['objects'],
  recording: AnalyzeRecordingInput,
  plan: RecordingPlan,
): Promise<RecordingPlan> {
  if (!recording.batch) return plan;
  const outline = await getJson(objects, recordingKeys(recording).outline, outlineFormat);
  return { ...plan, outline };
}

/** Ends the attempt as failed: its reservation is released and nothing of it is kept. */
export function failRecording(
  dependencies: ActivityDependencies,
  { recording, code, message, param, cancelled }: FailRecordingInput,
): Promise<void> {
  return runActivity(async () => {
    const { db } = dependencies;
    const { batch } = recording;
    if (batch && cancelled) await closeRequest(db, recording);
    else if (!batch && unadmitted.includes(code)) {
      // contract.md: a request that is rejected before anything is reserved leaves its id unused.
      await unclaimRequest(db, recording);
    } else await failRequest(db, recording, { code, message, param });
    // The caller must not wait for unavailable storage; the sweeper deletes what remains.
    await deleteWork(dependencies, recording).catch((error: unknown) => {
      log.warn('objects of a failed request are left to the sweeper', { error });
    });
  });
}
