// Settles a recording: the result object first, then debit and completion in one transaction.
import { registerObject } from '../db/object-rows.ts';
import { indexRecordings, type SearchEntry } from '../db/index-recordings.ts';
import { requestState } from '../db/requests.ts';
import { RequestNotRunning, settle } from '../db/settlement.ts';
import { putJson } from '../db/stored-json.ts';
import { resultFormat } from '../models/analysis/result/documents.ts';
import type { AnalyzedRecording } from '../models/analysis/analyzed-recording.ts';
import { resultOf } from '../models/analysis/result/result-of.ts';
import { searchEntryOf } from '../models/exports/search-entry.ts';
import type { AnalyzeRecordingInput, AnalyzeRecordingResult } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { claimOf, recordEarlierAttempt, recordingKeys } from './recording-objects.ts';

/**
 * Registers the result object; a clip does so while it is analysed. The results of a batch are
 * registered with the batch.
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

type SettleDependencies = Pick<ActivityDependencies, 'objects' | 'pool' | 'affect'>;

/**
 * Stores the registered result and settles. A repetition writes the same bytes and debits only
 * once.
 */
export async function settleRecording(
  dependencies: SettleDependencies & Pick<ActivityDependencies, 'db' | 'metrics'>,
  recording: AnalyzeRecordingInput,
  analyzed: AnalyzedRecording,
): Promise<AnalyzeRecordingResult> {
  const stored = await storeResult(dependencies, recording, analyzed);
  await indexResults(dependencies, [stored]);
  const isRepeated = await settle(dependencies.db, claimOf(recording), stored.billableSeconds);
  if (isRepeated) await recordEarlierAttempt(dependencies, recording);
  countCompleted(dependencies, stored);
  return { resultKey: recordingKeys(recording).result };
}

export interface StoredResult {
  readonly recording: AnalyzeRecordingInput;
  /** To be debited. */
  readonly billableSeconds: number;
  readonly audioSeconds: number;
  readonly inferenceSeconds: number;
  /** What the console searches; null for results that are deleted once they are answered. */
  readonly entry: SearchEntry | null;
}

/** Makes items of batches findable. */
export async function indexResults(
  { db }: Pick<ActivityDependencies, 'db'>,
  stored: readonly StoredResult[],
): Promise<void> {
  const placed = stored.flatMap(({ recording: { batch }, entry }) =>
    batch && entry ? [{ batchId: batch.id, position: batch.position, entry }] : [],
  );
  await indexRecordings(db, placed);
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
  { objects, pool, affect }: SettleDependencies,
  recording: AnalyzeRecordingInput,
  analyzed: AnalyzedRecording,
): Promise<StoredResult> {
  const { transcriptKey, model } = recording;
  const transcript = transcriptKey ? (await objects.getBytes(transcriptKey)).toString() : null;
  const options = { affect: affect(model), transcript };
  const result = await resultOf(pool, analyzed, options);
  await putJson(objects, recordingKeys(recording).result, resultFormat, result);
  const audioSeconds = result.sourceSamples / result.sourceRate;
  return {
    recording,
    billableSeconds: result.billableSeconds,
    audioSeconds,
    inferenceSeconds: result.inferenceMs / 1_000,
    entry: recording.batch ? searchEntryOf(result, audioSeconds) : null,
  };
}

/**
 * The result of an attempt that settled before its worker was lost, or null. A repeated activity
 * has to check, because its upload and working objects may already be gone.
 */
export async function alreadySettled(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: AnalyzeRecordingInput,
): Promise<AnalyzeRecordingResult | null> {
  const state = await requestState(db, recording);
  return state === 'completed' ? { resultKey: recordingKeys(recording).result } : null;
}

/**
 * For a step that failed. What it works on is deleted when its request ends, so that the step of
 * one that has ended, whose workflow an operator may have reset, would fail for hours, and the next
 * attempt could not have its workflow's id.
 * @throws `cause` while the request is open, RequestNotRunning when it has ended without a result
 */
export async function settledUnlessOpen(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: AnalyzeRecordingInput,
  cause: unknown,
): Promise<AnalyzeRecordingResult> {
  const state = await requestState(db, claimOf(recording));
  if (state === 'completed') return { resultKey: recordingKeys(recording).result };
  if (state === 'admitted' || state === 'running') throw cause;
  throw new RequestNotRunning(`request ${recording.requestId} has ended`, { cause });
}
