// What the role of the service's processes may not do, and what even the owner cannot.
import test from 'ava';
import type { Db } from '../../db/database.ts';
import { sql } from 'kysely';
import { balanceOf } from '../../db/balance.ts';
import { openDatabase, pingDatabase } from '../../db/database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { claimRequest } from '../../db/requests.ts';
import { createFile } from '../../db/files.ts';
import { reserve } from '../../db/settlement.ts';
import { storageOf } from '../../db/storage-quota.ts';
import { anAccount, emptyDatabase, patient, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

test('rows of money and audit are write-once, by privilege and by trigger', async (t) => {
  const { db, ownerUrl } = await testDatabase(t);
  const owner = openDatabase(ownerUrl, patient);
  t.teardown(() => owner.destroy());
  const { organizationId, keyId } = await anAccount(db);
  const named = { organizationId, keyId, requestId: 'r', fingerprint: 'f', task: 't', model: 'm' };
  await claimRequest(db, { ...named, ratePerMinute: 0, uploadKey: 'u' });
  await reserve(db, { organizationId, requestId: 'r', attempt: 1 }, 5);
  for (const statement of [
    'UPDATE ledger SET seconds = 1',
    'DELETE FROM ledger',
    'TRUNCATE ledger',
    "UPDATE audit SET actor = 'me'",
    'DELETE FROM audit',
    'TRUNCATE audit',
  ]) {
    const denied = { message: /permission denied/ };
    await t.throwsAsync(sql.raw(statement).execute(db), denied, statement);
    const rejected = { message: /append-only/ };
    await t.throwsAsync(sql.raw(statement).execute(owner), rejected, statement);
  }
  for (const statement of [
    'UPDATE ledger_totals SET seconds = 0',
    'UPDATE storage_totals SET bytes = 0',
    `SELECT add_to_storage_totals('${organizationId}', -1, 0, 0)`,
    'DELETE FROM organizations',
    'DELETE FROM api_keys',
    'TRUNCATE requests',
    'SELECT * FROM kysely_migration',
    'CREATE TABLE mine (id int)',
    'DROP TABLE requests',
    'ALTER TABLE ledger DISABLE TRIGGER ALL',
    'CREATE ROLE mine',
    "SET session_replication_role = 'replica'",
  ]) {
    const denied = { message: /permission denied|must be owner/ };
    await t.throwsAsync(sql.raw(statement).execute(db), denied, statement);
  }
  t.is((await balanceOf(db, organizationId)).usedSeconds, 5, 'the trigger may');
});

test('the role is no superuser, owns nothing, and its sessions have limits', async (t) => {
  const { url } = await testDatabase(t);
  const db = openDatabase(url, { acquireTimeoutMs: patient.acquireTimeoutMs });
  t.teardown(() => db.destroy());
  const one = async (query: string): Promise<unknown> =>
    Object.values((await sql.raw<object>(query).execute(db)).rows[0] ?? {})[0];
  const rights = 'rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls';
  t.false(await one(`SELECT ${rights} FROM pg_roles WHERE rolname = current_user`));
  t.is(
    await one(`SELECT count(*)::int FROM pg_class
      WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)`),
    0,
  );
  for (const [name, limit] of [
    ['statement_timeout', '15s'],
    ['lock_timeout', '10s'],
    ['idle_in_transaction_session_timeout', '8s'],
  ] as const) {
    t.is(await one(`SHOW ${name}`), limit, name);
    const source = await one(`SELECT source FROM pg_settings WHERE name = '${name}'`);
    t.is(source, 'session', 'set by a statement: PgBouncer accepts no such parameter');
  }
  // Whoever waits for the lock of a machine that has vanished must not give up before it is freed.
  t.true(
    await one(`SELECT
      current_setting('idle_in_transaction_session_timeout')::interval
      < current_setting('lock_timeout')::interval`),
  );
});

/** What triggers have counted of one file of 5 bytes. */
async function bytesOfAFile(db: Db): Promise<number> {
  const { organizationId } = await anAccount(db);
  const audio = { container: 'wav', bytes: 5, sha256: null } as const;
  await createFile(db, {
    ...{ organizationId, objectKey: 'k', filename: 'x', audio, lifetimeSeconds: 60 },
    ...{ idempotencyKey: null, fingerprint: null },
  });
  return (await storageOf(db, organizationId)).used.bytes;
}

test('the role gets the tables of the service where they are, and no other', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const owner = openDatabase(ownerUrl, patient);
  t.teardown(() => owner.destroy());
  const name = new URL(ownerUrl).pathname.slice(1);
  for (const statement of [
    'CREATE SCHEMA "Speech"',
    'CREATE TABLE "Speech".other (id int)',
    'CREATE TABLE public.other (id int)',
    `ALTER DATABASE ${name} SET search_path = "Speech", public`,
  ]) {
    await sql.raw(statement).execute(owner);
  }
  await prepareDatabase(url, ownerUrl, patient);
  const db = openDatabase(url, patient);
  t.teardown(() => db.destroy());
  const withoutRights = await sql`SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = '"Speech"'::regnamespace AND relname <> 'other'
      AND relname NOT LIKE 'kysely%' AND NOT has_table_privilege(oid, 'SELECT')`.execute(db);
  t.deepEqual(withoutRights.rows, []);
  t.is(await bytesOfAFile(db), 5, 'the triggers find their tables');
  for (const table of ['"Speech".other', 'public.other', '"Speech".kysely_migration']) {
    const denied = { message: /permission denied/ };
    await t.throwsAsync(sql.raw(`SELECT * FROM ${table}`).execute(db), denied, table);
  }
});

test('a role that owns the schema and is named twice keeps what its triggers need', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const administrator = openDatabase(ownerUrl, patient);
  t.teardown(() => administrator.destroy());
  const role = new URL(url).username;
  await sql.raw(`GRANT ALL ON SCHEMA public TO "${role}"`).execute(administrator);
  await prepareDatabase(url, null, patient);
  const db = openDatabase(url, patient);
  t.teardown(() => db.destroy());
  // As a version did that took the owner for the service's role.
  for (const table of ['ledger_totals', 'storage_totals']) {
    await sql.raw(`REVOKE ALL ON ${table} FROM "${role}"`).execute(db);
    await sql.raw(`GRANT SELECT ON ${table} TO "${role}"`).execute(db);
  }
  await prepareDatabase(url, url, patient);
  t.is(await bytesOfAFile(db), 5);
});

test('preparing a database again, also concurrently, changes nothing', async (t) => {
  const { db, url, ownerUrl } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  await Promise.all([
    prepareDatabase(url, ownerUrl, patient),
    prepareDatabase(url, ownerUrl, patient),
  ]);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
});

test('without a free connection a query is rejected after its time', async (t) => {
  const { url } = await testDatabase(t);
  const db = openDatabase(url, { maxConnections: 1, acquireTimeoutMs: 100 });
  t.teardown(() => db.destroy());
  // The time covers connecting as well, which takes longer on a busy machine.
  await until(() =>
    pingDatabase(db).then(
      () => true,
      () => false,
    ),
  );
  const held = Promise.withResolvers<void>();
  const holding = db.connection().execute(() => held.promise);
  await t.throwsAsync(balanceOf(db, 'org_none'), { message: /^timeout exceeded/ });
  held.resolve();
  await holding;
});
