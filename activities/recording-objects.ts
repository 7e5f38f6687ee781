// The objects of one run of a recording: their keys, and how they go.
import { resultKey, workPrefix } from '../db/object-keys.ts';
import type { ObjectStore } from '../db/object-store.ts';
import { forgetObjects } from '../db/objects.ts';
import type { Chunk } from '../models/audio/chunk-plan.ts';
import type { AnalyzeRecordingInput } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';

export interface RecordingKeys {
  readonly prefix: string;
  /** Decoded recording: 16 kHz mono PCM16, so a chunk is a byte range. */
  readonly pcm: string;
  /** JSON array of the recording's chunks. */
  readonly plan: string;
  /** JSON `ChunkTranscript` of one chunk. */
  chunk(index: number): string;
  readonly result: string;
}

export function recordingKeys(recording: AnalyzeRecordingInput): RecordingKeys {
  const prefix = workPrefix(recording);
  return {
    prefix,
    pcm: `${prefix}pcm`,
    plan: `${prefix}plan.json`,
    chunk: (index) => `${prefix}chunks/${String(index).padStart(6, '0')}.json`,
    result: resultKey(recording),
  };
}

/** Reads the plan that `openRecording` wrote. */
export async function readPlan(objects: ObjectStore, key: string): Promise<readonly Chunk[]> {
  return JSON.parse((await objects.getBytes(key)).toString()) as readonly Chunk[];
}

/** Deletes the upload and whatever lies under the run's prefix, then their rows. */
export async function deleteWork(
  { db, objects }: Pick<ActivityDependencies, 'db' | 'objects'>,
  recording: AnalyzeRecordingInput,
): Promise<void> {
  const { prefix } = recordingKeys(recording);
  const work = await objects.list(prefix);
  await objects.delete([...work, recording.upload.key]);
  await forgetObjects(db, [prefix, recording.upload.key]);
}

/** A clip wrote no work objects: only its upload goes. */
export async function deleteUpload(
  { db, objects }: Pick<ActivityDependencies, 'db' | 'objects'>,
  { upload }: AnalyzeRecordingInput,
): Promise<void> {
  await objects.delete([upload.key]);
  await forgetObjects(db, [upload.key]);
}
