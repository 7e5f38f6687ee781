// A database of its own for a test, migrated, dropped afterwards.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createKey, type NewKey } from '../../db/api-keys.ts';
import { createOrganization, type NewOrganization } from '../../db/organizations.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import { migrateToLatest } from '../../db/migrate.ts';
import type { Cleanup } from './cleanup.ts';
import { testServers } from './environment.ts';

export interface TestDatabase {
  readonly db: Db;
  readonly url: string;
}

export async function testDatabase(t: Cleanup): Promise<TestDatabase> {
  const { databaseUrl } = testServers();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(databaseUrl, `CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const db = openDatabase(url.href);
  t.teardown(async () => {
    await db.destroy();
    await administer(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  await migrateToLatest(db);
  return { db, url: url.href };
}

async function administer(url: string, statement: string): Promise<void> {
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

/** An organization with a live key; an hour of minutes unless told otherwise. */
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
