// The vocabulary of a request, which its history only names.
import { findBatch } from '../db/batches.ts';
import type { ObjectStore } from '../db/objects/object-store.ts';
import type { Db } from '../db/database.ts';
import type { RecordingRequest } from '../models/contract/recording-request.ts';
import type { AnalyzeRecordingInput } from '../workflows/types.ts';
import { vocabularyOfBatch } from './batches/batch-recording.ts';

interface Stores {
  readonly db: Db;
  readonly objects: ObjectStore;
}

/** The recording with the terms that its recognition prefers. */
export async function withVocabulary(
  stores: Stores,
  recording: AnalyzeRecordingInput,
): Promise<AnalyzeRecordingInput> {
  return withTerms(recording, await termsOf(stores, recording));
}

export function withTerms<Request extends RecordingRequest>(
  request: Request,
  vocabulary: readonly string[],
): Request {
  if (vocabulary.length === 0) return request;
  return { ...request, options: { ...request.options, vocabulary } };
}

async function termsOf(
  { db, objects }: Stores,
  { organizationId, batch, batchVocabulary, vocabularyKey }: AnalyzeRecordingInput,
): Promise<readonly string[]> {
  if (vocabularyKey) return (await objects.getBytes(vocabularyKey)).toString().split('\n');
  if (!batch || !batchVocabulary) return [];
  const stored = await findBatch(db, organizationId, batch.id);
  return stored ? vocabularyOfBatch(stored) : [];
}
