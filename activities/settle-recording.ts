// The end of a recording: result object first, then debit and completion in one transaction.
import { registerObject } from '../db/objects.ts';
import { requestState } from '../db/requests.ts';
import { settle } from '../db/usage.ts';
import { assembleTranscript } from '../models/asr/segments.ts';
import type { ChunkTranscript } from '../models/asr/transcript.ts';
import type { RecordingResult } from '../models/recording-result.ts';
import { billableSeconds } from '../workflows/plan.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  AudioLength,
} from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { recordingKeys } from './recording-objects.ts';

/** Stores the result and settles. Repeating it writes the same bytes and debits once. */
export async function settleRecording(
  { db, objects }: Pick<ActivityDependencies, 'db' | 'objects'>,
  {
    recording,
    audio,
    chunks,
  }: {
    readonly recording: AnalyzeRecordingInput;
    readonly audio: AudioLength;
    readonly chunks: readonly ChunkTranscript[];
  },
): Promise<AnalyzeRecordingResult> {
  const { result } = recordingKeys(recording);
  const billable = billableSeconds(audio.sourceSamples, audio.sourceRate);
  const body: RecordingResult = {
    version: 1,
    sourceSamples: audio.sourceSamples,
    sourceRate: audio.sourceRate,
    billableSeconds: billable,
    language: 'en',
    ...assembleTranscript(chunks),
  };
  const { organizationId } = recording;
  await registerObject(db, { key: result, organizationId, kind: 'result' });
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
