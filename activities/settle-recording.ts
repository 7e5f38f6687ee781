// The end of a recording: result object first, then debit and completion in one transaction.
import { registerObject } from '../db/objects.ts';
import { requestState } from '../db/requests.ts';
import { settle } from '../db/usage.ts';
import { putJson } from '../db/stored-json.ts';
import { resultFormat } from '../models/analysis/documents.ts';
import { assembleRecording, type AnalyzedChunk } from '../models/analysis/assemble.ts';
import { stepsOf } from '../models/contract/tasks.ts';
import type { SampleSpan } from '../models/analysis/chunk-plan.ts';
import type { JobOptions } from '../models/inference/jobs.ts';
import type { ProficiencyAssessment } from '../models/proficiency/assessment.ts';
import type { RecordingPlan } from '../models/analysis/plan.ts';
import type { RecordingResult } from '../models/analysis/result.ts';
import { ratePerMinute } from '../models/contract/prices.ts';
import { chargedSeconds } from '../workflows/plan.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  AudioLength,
} from '../workflows/types.ts';
import { assessProficiency, withGivenWords } from './assess-proficiency.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { recordingKeys } from './recording-objects.ts';

export interface SettleInput {
  readonly recording: AnalyzeRecordingInput;
  readonly audio: AudioLength;
  readonly plan: RecordingPlan;
  readonly chunks: readonly AnalyzedChunk[];
  /** Samples of the recording: proficiency looks at them again. */
  readonly read: (span: SampleSpan) => Promise<Int16Array>;
  readonly job: JobOptions;
}

/**
 * Announces the result object; a clip does so while it is being analysed. Those of a batch are
 * announced with the batch.
 */
export async function registerResult(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: AnalyzeRecordingInput,
): Promise<void> {
  const { organizationId, batch } = recording;
  if (batch) return;
  await registerObject(db, {
    key: recordingKeys(recording).result,
    organizationId,
    kind: 'result',
  });
}

type SettleDependencies = Pick<ActivityDependencies, 'objects' | 'pool' | 'thresholds'>;

/** Stores the announced result and settles. Repeating it writes the same bytes and debits once. */
export async function settleRecording(
  dependencies: SettleDependencies & Pick<ActivityDependencies, 'db' | 'metrics'>,
  input: SettleInput,
): Promise<AnalyzeRecordingResult> {
  const stored = await storeResult(dependencies, input);
  await settle(dependencies.db, input.recording, stored.billableSeconds);
  countCompleted(dependencies, stored);
  return { resultKey: recordingKeys(input.recording).result };
}

export interface StoredResult {
  readonly recording: AnalyzeRecordingInput;
  /** To be debited. */
  readonly billableSeconds: number;
  readonly audioSeconds: number;
  readonly inferenceSeconds: number;
}

export function countCompleted(
  { metrics }: Pick<ActivityDependencies, 'metrics'>,
  { recording, audioSeconds, inferenceSeconds }: StoredResult,
): void {
  const { task, model, batch } = recording;
  metrics.completed({ task, model, bulk: batch !== undefined, audioSeconds, inferenceSeconds });
}

/** Assembles the result and writes its object. */
export async function storeResult(
  dependencies: SettleDependencies,
  input: SettleInput,
): Promise<StoredResult> {
  const { objects, thresholds } = dependencies;
  const { recording, audio, plan } = input;
  const { result } = recordingKeys(recording);
  const { task, model, options } = recording;
  const { sourceSamples, sourceRate } = audio;
  const proficiency = task === 'proficiency' ? await assess(dependencies, input) : null;
  const billable =
    proficiency?.check.billable === false ? 0 : chargedSeconds(ratePerMinute(recording), audio);
  const chunks = proficiency ? withGivenWords(input.chunks, plan, proficiency) : input.chunks;
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
    ...(proficiency && { proficiency }),
  };
  await putJson(objects, result, resultFormat, body);
  return {
    recording,
    billableSeconds: billable,
    audioSeconds: sourceSamples / sourceRate,
    inferenceSeconds: assembled.inferenceMs / 1_000,
  };
}

async function assess(
  { objects, pool }: Pick<ActivityDependencies, 'objects' | 'pool'>,
  { recording, audio, plan, chunks, read, job }: SettleInput,
): Promise<ProficiencyAssessment> {
  const { transcriptKey } = recording;
  const transcript = transcriptKey ? (await objects.getBytes(transcriptKey)).toString() : null;
  const ordered = chunks.toSorted((a, b) => a.index - b.index);
  const { samples } = audio;
  return assessProficiency(pool, { plan, chunks: ordered, samples, transcript, read, job });
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
