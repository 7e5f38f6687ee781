// Reads the stored result of a run, which the request then owns until it is answered.
import type { ObjectStore } from '../../db/objects/object-store.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';
import { retryWithin } from '../../models/concurrency/retry-within.ts';
import { afterCompletion } from './work-in-hand.ts';

/** A settled request is charged, so its result is retried through a short outage of the storage. */
const resultTimeoutMs = 20_000;
const resultReadDelayMs = 100;
const maxResultReadDelayMs = 2_000;

/**
 * The request deletes result and upload after its answer, because answers are not replayed.
 * @throws WorkInHand when the result cannot be read
 */
export async function fetchResult(
  objects: ObjectStore,
  resultKey: string,
  { owner, key: uploadKey }: Pick<OwnedUpload, 'owner' | 'key'>,
): Promise<Buffer> {
  const stored = await afterCompletion(() => readResult(objects, resultKey));
  owner.own(resultKey);
  owner.own(uploadKey);
  return stored;
}

/**
 * A step that runs twice after a crash writes the same result twice, and a store may have no object
 * between the two. A settled result exists, so the read is retried.
 */
function readResult(objects: ObjectStore, key: string): Promise<Buffer> {
  const delayMs = (attempt: number): number =>
    Math.min(attempt * resultReadDelayMs, maxResultReadDelayMs);
  return retryWithin({ timeoutMs: resultTimeoutMs, delayMs }, async () => {
    const stored = await objects.getBytes(key);
    if (stored.length > 0) return stored;
    throw new Error(`${key} is empty`);
  });
}
