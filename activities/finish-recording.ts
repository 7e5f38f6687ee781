// The last activity of a recording: assembles and settles it, and deletes its working objects.
import { getJson } from '../db/stored-json.ts';
import { chunkFormat, outlineFormat, planFormat } from '../models/analysis/result/documents.ts';
import type { AnalyzedChunk } from '../models/analysis/analyzed-chunk.ts';
import type { RecordingPlan } from '../models/analysis/plan/plan.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  FinishRecordingInput,
} from '../workflows/types.ts';
import { eachLimited } from '../models/concurrency/each-limited.ts';
import { itemReport } from './batches/report-item.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openSamples } from './pcm-sums.ts';
import { deleteWork, recordEarlierAttempt, recordingKeys } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { withVocabulary } from './vocabulary.ts';
import {
  alreadySettled,
  registerResult,
  settledUnlessOpen,
  settleRecording,
} from './settle-recording.ts';

const readsInFlight = 8;

/**
 * Assembles the chunks, stores the result, debits and completes the request, and deletes the
 * working objects.
 */
export function finishRecording(
  dependencies: ActivityDependencies,
  { recording, audio }: FinishRecordingInput,
): Promise<AnalyzeRecordingResult> {
  const finish = async ({ attempt, signal }: ActivityRun): Promise<AnalyzeRecordingResult> => {
    if (attempt > 1) await recordEarlierAttempt(dependencies, recording);
    const settled = attempt > 1 ? await alreadySettled(dependencies, recording) : null;
    if (settled) {
      await deleteWork(dependencies, recording);
      return settled;
    }
    await itemReport(dependencies, recording, { stage: 'finishing', audio })(0);
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
    const request = await withVocabulary(dependencies, recording);
    const analyzed = { request, audio, plan, chunks, read, job };
    const result = await settleRecording(dependencies, recording, analyzed);
    await deleteWork(dependencies, recording);
    return result;
  };
  return runActivity((run) =>
    finish(run).catch((error: unknown) => settledUnlessOpen(dependencies, recording, error)),
  );
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
