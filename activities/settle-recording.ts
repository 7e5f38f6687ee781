// The end of a recording: result object first, then debit and completion in one transaction.
import { registerObject } from '../db/objects.ts';
import { requestState } from '../db/requests.ts';
import { settle } from '../db/usage.ts';
import { assembleRecording, type AnalyzedChunk } from '../models/recording/assemble.ts';
import { stepsOf } from '../models/recording/steps.ts';
import type { RecordingPlan } from '../models/recording/plan.ts';
import type { RecordingResult } from '../models/recording/result.ts';
import { chargedSeconds } from '../workflows/plan.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  AudioLength,
} from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { recordingKeys } from './recording-objects.ts';

export interface SettleInput {
  readonly recording: AnalyzeRecordingInput;
  readonly audio: AudioLength;
  readonly plan: RecordingPlan;
  readonly chunks: readonly AnalyzedChunk[];
}

/** Announces the result object; a clip does so while it is being analysed. */
export function registerResult(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: AnalyzeRecordingInput,
): Promise<void> {
  const { organizationId } = recording;
  return registerObject(db, {
    key: recordingKeys(recording).result,
    organizationId,
    kind: 'result',
  });
}

/** Stores the announced result and settles. Repeating it writes the same bytes and debits once. */
export async function settleRecording(
  { db, objects, thresholds }: Pick<ActivityDependencies, 'db' | 'objects' | 'thresholds'>,
  { recording, audio, plan, chunks }: SettleInput,
): Promise<AnalyzeRecordingResult> {
  const { result } = recordingKeys(recording);
  const { task, model, options } = recording;
  const { sourceSamples, sourceRate } = audio;
  const billable = chargedSeconds(task, audio);
  const assembled = assembleRecording({
    steps: stepsOf(recording),
    plan,
    chunks,
    includeLogits: options.includeLogits,
    thresholds: thresholds(model),
    durationSeconds: sourceSamples / sourceRate,
  });
  const body: RecordingResult = {
    version: 2,
    sourceSamples,
    sourceRate,
    billableSeconds: billable,
    ...assembled,
  };
  await objects.putBytes(result, JSON.stringify(body));
  await settle(db, recording, billable);
  return { resultKey: result };
}

/**
 * The result of an attempt that had settled before its worker was lost, or null. A repeated
 * activity has to ask: its upload and work objects may be gone already.
 */
export async function alreadySettled(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: AnalyzeRecordingInput,
): Promise<AnalyzeRecordingResult | null> {
  const state = await requestState(db, recording);
  return state === 'completed' ? { resultKey: recordingKeys(recording).result } : null;
}
