// The stored result of a run: read once, then owned, as its upload is, until it is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '../../db/object-store.ts';
import type { StoredAudio } from '../upload/store-audio.ts';

/** A settled request is charged, so its result is retried through a short outage of the storage. */
const resultTimeoutMs = 20_000;
const resultReadDelayMs = 100;
const maxResultReadDelayMs = 2_000;

/** The workflow leaves both to the request: answers are not kept for replay. */
export async function fetchResult(
  objects: ObjectStore,
  resultKey: string,
  { owner, key: uploadKey }: Pick<StoredAudio, 'owner' | 'key'>,
): Promise<Buffer> {
  const stored = await readResult(objects, resultKey);
  owner.own(resultKey);
  owner.own(uploadKey);
  return stored;
}

/**
 * A step that runs twice after a crash writes the same result twice, and a store may have no object
 * between the two. A settled result exists, so the read is retried.
 */
async function readResult(objects: ObjectStore, key: string): Promise<Buffer> {
  const end = performance.now() + resultTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stored = await objects.getBytes(key);
      if (stored.length > 0) return stored;
      throw new Error(`${key} is empty`);
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(Math.min(attempt * resultReadDelayMs, maxResultReadDelayMs));
    }
  }
}
