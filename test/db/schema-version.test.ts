// A database without the schema of this version: what works with it says so.
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { Migrator, sql } from 'kysely';
import { createReadiness } from '../../api/health/readiness.ts';
import { examineServices } from '../../bin/commands/examine-services.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import { migrateToLatest, migrations, prepareDatabase } from '../../db/migrate.ts';
import { requireSchema } from '../../db/role-privileges.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { emptyDatabase, patient } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { testObjectStore } from '../support/object-store.ts';
import { isSilence } from '../support/patience.ts';
import { until } from '../support/until.ts';

function open(t: Cleanup, url: string): Db {
  const db = openDatabase(url, patient);
  t.teardown(() => db.destroy());
  return db;
}

test('neither /readyz nor `svc doctor` takes an empty database for the service’s', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const db = open(t, url);
  const objects = await testObjectStore(t);
  const connection = Connection.lazy({ address: testServers().temporalAddress });
  t.teardown(() => connection.close());
  const names = { namespace: 'default', taskQueue: 'nobody' };
  const client = new Client({ connection });
  const logger = { info: () => {}, warn: () => {} };
  const ready = () =>
    until(
      async () =>
        (await createReadiness({ db, objects, client, logger, ...names }).check()).database,
      (state) => state !== 'timeout',
    );
  const finding = () =>
    until(
      async () =>
        (await examineServices({ DATABASE_URL: url })).find(({ part }) => part === 'PostgreSQL')!,
      ({ detail }) => !isSilence(detail),
    );
  t.is(await ready(), 'not migrated');
  t.like(await finding(), {
    healthy: false,
    detail: 'the schema lacks organizations: run "svc migrate" of this version',
  });
  await prepareDatabase(url, ownerUrl, patient);
  t.is(await ready(), 'ok');
  const { hostname, port, pathname } = new URL(url);
  t.like(await finding(), { healthy: true, detail: `${hostname}:${port}${pathname}` });
});

test('a schema without its last migration or its privileges is of another version', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const owner = open(t, ownerUrl);
  const before = Object.fromEntries(Object.entries(migrations).slice(0, -1));
  const provider = { getMigrations: () => Promise.resolve(before) };
  const { error } = await new Migrator({ db: owner, provider }).migrateToLatest();
  t.is(error, undefined);
  // Which one is missing changes with each migration: see `newestFunction`.
  await t.throwsAsync(requireSchema(owner), { message: /^the schema lacks / });
  await migrateToLatest(owner);
  await t.notThrowsAsync(requireSchema(owner));
  const db = open(t, url);
  await t.throwsAsync(requireSchema(db), { message: /^the schema lacks organizations/ });
  await prepareDatabase(url, ownerUrl, patient);
  await t.notThrowsAsync(requireSchema(db));
});

test('a migration that waits for a table lets others pass, and begins again', async (t) => {
  const { ownerUrl } = await emptyDatabase(t);
  const owner = open(t, ownerUrl);
  // The next one changes the table of requests.
  const last = Object.keys(migrations).indexOf('2026-11-29-03-clock-set-back');
  const before = Object.fromEntries(Object.entries(migrations).slice(0, last));
  const provider = { getMigrations: () => Promise.resolve(before) };
  t.is((await new Migrator({ db: owner, provider }).migrateToLatest()).error, undefined);
  const waiting = () =>
    sql<{ pid: number }>`SELECT pid FROM pg_locks WHERE NOT granted
      AND relation = 'requests'::regclass AND mode = 'AccessExclusiveLock'`.execute(owner);
  const isWaiting = async (): Promise<boolean> => (await waiting()).rows.length > 0;
  const { migrated } = await owner.transaction().execute(async (reader) => {
    await sql`SELECT FROM requests`.execute(reader);
    const migrated = prepareDatabase(ownerUrl, null, { ...patient, lockTimeoutMs: 300 });
    migrated.catch(() => {});
    for (const state of [true, false, true, false]) {
      await until(isWaiting, (waits) => waits === state);
    }
    return { migrated };
  });
  t.is((await migrated).ran[0], '2026-11-29-03-clock-set-back');
});
