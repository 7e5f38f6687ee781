// Places of keys: what callers hold open, counted exactly over all processes and kinds of request.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Gives a place back; once is enough, and nobody waits for it. */
export type ReleaseLease = () => void;

export interface KeyLeases {
  /**
   * Takes a place of a key in one round trip.
   * @param max places that the key may hold at once, over all processes
   * @returns null when they are taken
   */
  acquire(keyId: string, max: number): Promise<ReleaseLease | null>;
  /** Gives every place back and stops. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  /** A process that is not seen for so long holds nothing any more; by the database's clock. */
  readonly leaseSeconds?: number;
}

const defaultLeaseSeconds = 15;
/** Rows of processes that are gone are kept so many leases; they do not count. */
const retainedLeases = 20;

/** The places of this process: one of it, which everything that takes places shares. */
export function createKeyLeases(
  db: Db,
  { leaseSeconds = defaultLeaseSeconds }: LeaseOptions = {},
): KeyLeases {
  const holder = randomBytes(12).toString('hex');
  const lease = sql`make_interval(secs => ${leaseSeconds})`;
  /** Number -> key; a place that is being claimed is there before the database knows it. */
  const acquiring = new Map<number, string>();
  const held = new Map<number, string>();
  const released = trackReleased(db, holder);
  let last = 0;
  /** Whether the database may know of places that this process does not hold. */
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
      // It may have been claimed although the answer did not come.
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
    // What was given back while the statement waited may have been written again by it.
    for (const [number, keyId] of renewed) if (!held.has(number)) released.add(number, keyId);
    await released.deleteReleased();
  };
  const timer = setInterval(
    () => {
      if (held.size + released.size() === 0 && !uncertain) return;
      // One more look when nothing is held any more.
      uncertain = held.size > 0;
      // A database that is away hears of it later.
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
      // A deletion that is under way may not have taken the last ones along.
      await released.deleteReleased();
      await released.deleteReleased();
    },
  };
}

/** Places that nobody holds any more and whose rows may still be there. */
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
    // One deletion at a time takes along whatever was given back in the meantime. What one that
    // fails has left is left to the next sign of life.
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
  /** Number of the latest claim: what is claimed while the statement waits is left alone. */
  readonly last: number;
  readonly leaseSeconds: number;
}

/**
 * Renews the lease, and makes the rows say what this process holds: a database that was restarted
 * or a lease that had run out has forgotten some.
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
 * One claim of a key at a time: a burst of one key waits for its lock with one connection, not with
 * all that the process has. Who waits behind a claim that was refused is refused with it.
 */
function createKeyQueues<T>() {
  const lastOf = new Map<string, Promise<T | null>>();
  return (keyId: string, acquire: () => Promise<T | null>): Promise<T | null> => {
    const ahead = lastOf.get(keyId);
    // What failed says nothing about the places: the next one asks.
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
