// Leases of keys: exact under bursts, over processes, and returned when a process dies.
import test from 'ava';
import { sql } from 'kysely';
import { openDatabase, type Db } from '../../db/database.ts';
import { createKeyLeases, type ReleaseLease, type KeyLeases } from '../../db/key-leases.ts';
import { patient, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const rows = async (db: Db): Promise<number> => {
  const { rows: counted } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM places`.execute(
    db,
  );
  return counted[0]!.n;
};

/** No lease lapses while a test runs, however slow its machine is. */
const lasting = { leaseSeconds: 3_600 };

const taken = (claims: readonly (ReleaseLease | null)[]): ReleaseLease[] =>
  claims.filter((claim) => claim !== null);

const burst = (processes: readonly KeyLeases[], count: number, max: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => processes[i % 2]!.acquire('key', max)));

test('of a burst over two processes exactly as many succeed as there are leases', async (t) => {
  const { db } = await testDatabase(t);
  const processes = [createKeyLeases(db, lasting), createKeyLeases(db, lasting)];
  for (let round = 0; round < 5; round += 1) {
    const inside = taken(await burst(processes, 40, 4));
    t.is(inside.length, 4);
    t.is(await processes[0]!.acquire('key', 4), null);
    t.truthy(await processes[0]!.acquire(`other ${round}`, 1), 'another key is not concerned');
    for (const release of inside) {
      release();
      release();
    }
    await until(
      () => rows(db),
      (count) => count === round + 1,
    );
  }
  for (const leases of processes) await leases.close();
  t.is(await rows(db), 0);
});

test('a burst of one key that waits for its lock leaves connections to others', async (t) => {
  const { db, url } = await testDatabase(t);
  const elsewhere = openDatabase(url, patient);
  t.teardown(() => elsewhere.destroy());
  const leases = createKeyLeases(db, lasting);
  t.teardown(() => leases.close());
  const waiting = await elsewhere.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('key', 0))`.execute(trx);
    const claims = Array.from({ length: 40 }, () => leases.acquire('key', 4));
    // The pool has ten connections.
    for (let i = 0; i < 12; i += 1) t.truthy(await leases.acquire(`other ${i}`, 1));
    return { claims };
  });
  t.is(taken(await Promise.all(waiting.claims)).length, 4);
});

test('a returned lease can be acquired at once by the same process', async (t) => {
  const { db } = await testDatabase(t);
  const leases = createKeyLeases(db, lasting);
  t.teardown(() => leases.close());
  for (let i = 0; i < 50; i += 1) {
    const release = await leases.acquire('key', 1);
    t.truthy(release, `claim ${i}`);
    release!();
  }
});

test('a dead process loses its leases; a slow one renews the lost lease', async (t) => {
  const { db } = await testDatabase(t);
  // The one process sends no heartbeat within the test.
  const dead = createKeyLeases(db, lasting);
  const other = createKeyLeases(db, { leaseSeconds: 1 });
  t.teardown(() => other.close());
  t.truthy(await dead.acquire('key', 1));
  const rejected = createKeyLeases(db, lasting);
  t.is(await rejected.acquire('key', 1), null);
  await sql`UPDATE place_holders SET seen_at = seen_at - interval '1 minute'`.execute(db);
  const release = await other.acquire('key', 1);
  t.truthy(release, 'its lease is over');
  // PostgreSQL truncates unlogged tables after a crash.
  await sql`DELETE FROM places`.execute(db);
  await sql`DELETE FROM place_holders`.execute(db);
  await until(
    () => rows(db),
    (count) => count === 1,
  );
  t.is(await rejected.acquire('key', 1), null);
  release!();
  await until(
    () => rows(db),
    (count) => count === 0,
  );
  t.truthy(await rejected.acquire('key', 1));
});
