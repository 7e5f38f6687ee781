// The objects that a request owns: they are deleted when it ends, however it ends.
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { deleteObjectRows } from '../../db/object-rows.ts';

export interface OwnedObjects {
  /**
   * The object is deleted, and its row with it, when the request ends. A key that ends with a slash
   * is a prefix.
   */
  own(key: string): void;
  /** Gives the object to its next owner: a started workflow, or the row of a file. */
  handOver(key: string): void;
}

export interface ObjectStores {
  readonly db: Db;
  readonly objects: ObjectStore;
}

/**
 * Runs the work of a request and then deletes what it still owns. A failure waits for that, so
 * that a rejected request leaves nothing behind; an answer does not wait for its clean-up.
 */
export async function withOwnedObjects<T>(
  stores: ObjectStores,
  work: (owner: OwnedObjects) => Promise<T>,
): Promise<T> {
  const keys = new Set<string>();
  let answered = false;
  try {
    const answer = await work({
      own: (key) => void keys.add(key),
      handOver: (key) => void keys.delete(key),
    });
    answered = true;
    return answer;
  } finally {
    const discard = (): Promise<void> => discardObjects(stores, [...keys]);
    // Signing these requests takes some milliseconds, which the answer would wait for.
    if (answered) setImmediate(() => void discard());
    else await discard();
  }
}

/** A rejection does not wait longer than this for its clean-up. */
const discardTimeoutMs = 2_000;

/**
 * Never fails, and waits for an unavailable storage or database only until the timeout; the sweeper
 * deletes what remains.
 */
async function discardObjects(
  { db, objects }: ObjectStores,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const discard = async (): Promise<void> => {
    await objects.delete(keys.filter((key) => !key.endsWith('/')));
    for (const prefix of keys.filter((key) => key.endsWith('/')))
      await objects.deletePrefix(prefix);
    await deleteObjectRows(db, keys);
  };
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, discardTimeoutMs);
  await Promise.race([discard(), late.promise]).catch(() => {});
  clearTimeout(timer);
}
