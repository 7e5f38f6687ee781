// A database of its own for a test, migrated, dropped afterwards.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { columnTypes } from '../../db/column-types.ts';
import { createKey, type NewKey } from '../../db/api-keys.ts';
import { createOrganization, type NewOrganization } from '../../db/organizations.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import type { Cleanup } from './cleanup.ts';
import { testServers } from './environment.ts';
import { patientMs } from './patience.ts';

export interface TestDatabase {
  /** With the privileges of the service's processes: a missing grant fails a test. */
  readonly db: Db;
  readonly url: string;
  /** Of the schema's owner. */
  readonly ownerUrl: string;
}

/** A machine that stalls is no outage of the database, nor a transaction that was forgotten. */
export const patient = {
  acquireTimeoutMs: patientMs,
  statementTimeoutMs: patientMs,
  lockTimeoutMs: patientMs,
  idleInTransactionTimeoutMs: patientMs,
};

export async function testDatabase(t: Cleanup): Promise<TestDatabase> {
  const { url, ownerUrl } = await newDatabase(t, ` TEMPLATE ${testServers().databaseTemplate}`);
  const db = openDatabase(url, patient);
  t.teardown(() => db.destroy());
  return { db, url, ownerUrl };
}

/** A database without any table. */
export async function emptyDatabase(t: Cleanup): Promise<Omit<TestDatabase, 'db'>> {
  return newDatabase(t, '');
}

async function newDatabase(t: Cleanup, like: string): Promise<Omit<TestDatabase, 'db'>> {
  const { databaseUrl, databaseOwnerUrl } = testServers();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(databaseOwnerUrl, `CREATE DATABASE ${name}${like}`);
  t.teardown(() => administer(databaseOwnerUrl, `DROP DATABASE ${name} WITH (FORCE)`));
  const within = (server: string): string => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    return url.href;
  };
  return { url: within(databaseUrl), ownerUrl: within(databaseOwnerUrl) };
}

/** Connections of plain queries, as many at once as `max` allows. */
export function testPool(t: Cleanup, url: string, { max = 10 } = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, types: columnTypes, max });
  // Its end does not wait for the server, which may end the session first as it drops the database.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  // Of connections that nobody has taken the pool tells itself.
  pool.on('error', () => {});
  t.teardown(() => pool.end());
  return pool;
}

/** Runs one statement on a server, as the owner of its databases. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestAccount {
  readonly organizationId: string;
  readonly keyId: string;
  readonly key: string;
}

/** An organization with a live key; an hour of minutes by default. */
export async function anAccount(
  db: Db,
  { limits, ...options }: Partial<NewOrganization> & Pick<NewKey, 'limits'> = {},
): Promise<TestAccount> {
  const organizationId = await createOrganization(db, {
    name: 'Test',
    plan: 'subscription',
    allowanceSeconds: 3_600,
    overageSeconds: 0,
    actor: 'test',
    ...options,
  });
  const { keyId, key } = await createKey(db, {
    ...{ organizationId, mode: 'live', actor: 'test' },
    ...(limits && { limits }),
  });
  return { organizationId, keyId, key };
}
