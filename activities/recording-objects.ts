// The objects of one run of a recording: their keys, and how they are stored and deleted.
import { sampleRate } from '../models/audio/sample-rate.ts';
import { recordLateWrite } from '../db/late-writes.ts';
import type { ClaimRef } from '../db/request-ref.ts';
import { batchPrefix, batchResultKey, resultKey, workPrefix } from '../db/object-keys.ts';
import type { ObjectStore } from '../db/objects/object-store.ts';
import { putJson } from '../db/stored-json.ts';
import { planFormat } from '../models/analysis/result/documents.ts';
import { deleteObjectRows } from '../db/object-rows.ts';
import type { RecordingPlan } from '../models/analysis/plan/plan.ts';
import { planSpans } from '../workflows/plan.ts';
import type { AnalyzeRecordingInput, PlannedWork, RecordingInput } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';

export interface RecordingKeys {
  readonly prefix: string;
  /** Decoded recording: 16 kHz mono PCM16, so a chunk is a byte range; `pcm-sums.ts` reads it. */
  readonly pcm: string;
  /** Float32 speech probabilities, one per hop of 512 samples: what the diarizer starts from. */
  readonly activity: string;
  /** JSON `RecordingOutline` of a recording whose result is kept. */
  readonly outline: string;
  /** JSON `RecordingPlan`. */
  readonly plan: string;
  /** JSON `AnalyzedChunk` of one chunk. */
  chunk(index: number): string;
  readonly result: string;
}

export function recordingKeys(recording: RecordingInput): RecordingKeys {
  const prefix = workPrefix(recording);
  const { organizationId, batch } = recording;
  return {
    prefix,
    pcm: `${prefix}pcm`,
    activity: `${prefix}activity`,
    outline: `${prefix}outline.json`,
    plan: `${prefix}plan.json`,
    chunk: (index) => `${prefix}chunks/${String(index).padStart(6, '0')}.json`,
    result: batch ? batchResultKey(organizationId, batch) : resultKey(recording),
  };
}

/**
 * The recording with what identifies its claim: the same attempt of an id that was left unused may
 * have been claimed again, with another upload. An item of a batch is claimed once.
 */
export function claimOf<R extends RecordingInput>(recording: R): R & ClaimRef {
  return recording.batch ? recording : { ...recording, uploadKey: recording.upload.key };
}

/** Stores the plan. @returns the number of its chunks and their spans */
export async function storePlan(
  objects: ObjectStore,
  recording: AnalyzeRecordingInput,
  plan: RecordingPlan,
): Promise<PlannedWork> {
  await putJson(objects, recordingKeys(recording).plan, planFormat, plan);
  const seconds = plan.chunks.map((c) => (c.endSample - c.startSample) / sampleRate);
  return { chunks: plan.chunks.length, spans: planSpans(seconds) };
}

/**
 * Records that an earlier attempt, on a worker that was cut off, may still be writing when this one
 * has finished and deleted the objects.
 */
export async function recordEarlierAttempt(
  { db }: Pick<ActivityDependencies, 'db'>,
  recording: RecordingInput,
): Promise<void> {
  const { organizationId, batch } = recording;
  const { prefix, result } = recordingKeys(recording);
  const resultRow = batch ? batchPrefix(organizationId, batch.id) : result;
  for (const key of [prefix, resultRow]) await recordLateWrite(db, { key, organizationId });
}

/**
 * Deletes the upload and everything under the run's prefix, then their rows. The file of a batch
 * item stays, because it belongs to its owner.
 */
export async function deleteWork(
  { db, objects }: Pick<ActivityDependencies, 'db' | 'objects'>,
  recording: RecordingInput,
): Promise<void> {
  const { prefix } = recordingKeys(recording);
  const upload = recording.batch ? [] : [recording.upload.key];
  await Promise.all([objects.deletePrefix(prefix), objects.delete(upload)]);
  await deleteObjectRows(db, [prefix, ...upload]);
}
