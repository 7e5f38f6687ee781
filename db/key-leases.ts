// Leases of keys: the concurrent requests and streams of each key, counted exactly over all
// processes.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Releases a lease in the background; further calls have no effect. */
export type ReleaseLease = () => void;

export interface KeyLeases {
  /**
   * Acquires a lease in one round trip.
   * @param max leases that the key may hold at once, over all processes
   * @returns null when all of them are taken
   */
  acquire(keyId: string, max: number): Promise<ReleaseLease | null>;
  /** Releases every lease and stops. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  /**
   * The leases of a process that does not renew them lapse after this time, by the database's
   * clock.
   */
  readonly leaseSeconds?: number;
}

const defaultLeaseSeconds = 15;
/** Rows of lost processes are kept for this many lease times, without being counted. */
const retainedLeases = 20;

/** The leases of this process; there is one instance, which everything shares. */
export function createKeyLeases(
  db: Db,
  { leaseSeconds = defaultLeaseSeconds }: LeaseOptions = {},
): KeyLeases {
  const holder = randomBytes(12).toString('hex');
  const lease = sql`make_interval(secs => ${leaseSeconds})`;
  /** Number to key; a lease that is being acquired is listed before the database knows it. */
  const acquiring = new Map<number, string>();
  const held = new Map<number, string>();
  const released = trackReleased(db, holder);
  let last = 0;
  /** Whether the database may know of leases that this process does not hold. */
  let uncertain = false;

  const acquireInDatabase = async (keyId: string, max: number): Promise<ReleaseLease | null> => {
    last += 1;
    const number = last;
    acquiring.set(number, keyId);
    try {
      const { rows } = await sql<{ claimed: boolean }>`
        SELECT claim_place(${keyId}, ${holder}, ${number}, ${max}, ${lease},
          ${released.ofKey(keyId)}::integer[]) AS claimed`.execute(db);
      if (!rows[0]!.claimed) return null;
      held.set(number, keyId);
    } catch (error) {
      // The lease may have been acquired although the answer was lost.
      uncertain = true;
      throw error;
    } finally {
      acquiring.delete(number);
    }
    return () => {
      if (!held.delete(number)) return;
      released.add(number, keyId);
      void released.deleteReleased();
    };
  };

  const onePerKey = createKeyQueues<ReleaseLease>();
  const acquire = async (keyId: string, max: number): Promise<ReleaseLease | null> =>
    onePerKey(keyId, async () =>
      ofKey(held, keyId).length < max ? acquireInDatabase(keyId, max) : null,
    );

  const renewHeld = async (): Promise<void> => {
    const renewed = new Map(held);
    await renewLeases(db, { holder, acquiring, held: renewed, last, leaseSeconds });
    // The statement may have written leases again that were released while it waited.
    for (const [number, keyId] of renewed) if (!held.has(number)) released.add(number, keyId);
    await released.deleteReleased();
  };
  const timer = setInterval(
    () => {
      if (held.size + released.size() === 0 && !uncertain) return;
      // Renew once more after the last lease was released.
      uncertain = held.size > 0;
      // A later renewal follows when the database is unavailable.
      renewHeld().catch(() => {});
    },
    (leaseSeconds * 1_000) / 3,
  );
  timer.unref();

  return {
    acquire,
    async close() {
      clearInterval(timer);
      for (const [number, keyId] of held) released.add(number, keyId);
      held.clear();
      // A deletion in progress may not cover the last ones.
      await released.deleteReleased();
      await released.deleteReleased();
    },
  };
}

/** Released leases whose rows may still exist. */
function trackReleased(db: Db, holder: string) {
  const leases = new Map<number, string>();
  let deleting: Promise<void> | null = null;
  const remove = async (): Promise<void> => {
    while (leases.size > 0) {
      const numbers = [...leases.keys()];
      await sql`DELETE FROM places WHERE holder = ${holder} AND number = ANY (${numbers})`.execute(
        db,
      );
      for (const number of numbers) leases.delete(number);
    }
  };
  return {
    add: (number: number, keyId: string): void => void leases.set(number, keyId),
    ofKey: (keyId: string): number[] => ofKey(leases, keyId),
    size: (): number => leases.size,
    // One deletion at a time covers everything released meanwhile. What a failed deletion leaves is
    // left to the next renewal.
    deleteReleased: (): Promise<void> =>
      (deleting ??= remove()
        .catch(() => {})
        .finally(() => {
          deleting = null;
        })),
  };
}

interface HeldLeases {
  readonly holder: string;
  readonly acquiring: ReadonlyMap<number, string>;
  readonly held: ReadonlyMap<number, string>;
  /** Number of the latest lease; leases acquired while the statement waits are not touched. */
  readonly last: number;
  readonly leaseSeconds: number;
}

/**
 * Renews the leases and makes the rows match what this process holds, because a restarted database
 * or a lapsed lease may have lost some.
 */
async function renewLeases(
  db: Db,
  { holder, acquiring, held, last, leaseSeconds }: HeldLeases,
): Promise<void> {
  const numbers = [...held.keys()];
  const keys = [...held.values()];
  const known = [...numbers, ...acquiring.keys()];
  await sql`
    WITH seen AS (
      INSERT INTO place_holders VALUES (${holder}, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
    ), gone AS (
      DELETE FROM place_holders
      WHERE seen_at < clock_timestamp() - make_interval(secs => ${retainedLeases * leaseSeconds})
        AND id <> ${holder}
      RETURNING id
    ), left_behind AS (
      DELETE FROM places USING gone WHERE places.holder = gone.id
    ), not_held AS (
      DELETE FROM places WHERE holder = ${holder} AND number <= ${last}
        AND number <> ALL (${known}::integer[])
    )
    INSERT INTO places
    SELECT ${holder}, held.number, held.key_id
    FROM unnest(${numbers}::integer[], ${keys}::text[]) AS held (number, key_id)
    ON CONFLICT DO NOTHING
  `.execute(db);
}

function ofKey(leases: ReadonlyMap<number, string>, keyId: string): number[] {
  return [...leases].filter(([, key]) => key === keyId).map(([number]) => number);
}

/**
 * Acquires for one key one at a time, so that a burst of one key waits for its lock with one
 * connection rather than with all of the process. A request that waits behind a rejected one is
 * rejected with it.
 */
function createKeyQueues<T>() {
  const lastOf = new Map<string, Promise<T | null>>();
  return (keyId: string, acquire: () => Promise<T | null>): Promise<T | null> => {
    const ahead = lastOf.get(keyId);
    // A failure says nothing about the leases, so the next request tries for itself.
    const own = ahead
      ? ahead.then(
          (claimed) => (claimed === null ? null : acquire()),
          () => acquire(),
        )
      : acquire();
    lastOf.set(keyId, own);
    const forget = (): void => {
      if (lastOf.get(keyId) === own) lastOf.delete(keyId);
    };
    own.then(forget, forget);
    return own;
  };
}
