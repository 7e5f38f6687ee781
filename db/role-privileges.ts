// The privileges of the service's role: it may work with rows but owns nothing.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Tables whose rows are written once or maintained by triggers, which the service must not change.
 */
const restricted: readonly { readonly table: string; readonly withheld: string }[] = [
  { table: 'ledger', withheld: 'UPDATE, DELETE' },
  { table: 'audit', withheld: 'UPDATE, DELETE' },
  { table: 'ledger_totals', withheld: 'INSERT, UPDATE, DELETE' },
  { table: 'storage_totals', withheld: 'INSERT, UPDATE, DELETE' },
  { table: 'organizations', withheld: 'DELETE' },
  { table: 'api_keys', withheld: 'DELETE' },
  { table: 'kysely_migration', withheld: 'ALL' },
  { table: 'kysely_migration_lock', withheld: 'ALL' },
];

/**
 * Grants a role what the service needs; called by the schema's owner after every migration.
 * TRUNCATE, REFERENCES and TRIGGER are never granted.
 */
export async function grantService(owner: Db, role: string): Promise<void> {
  const to = sql.id(role);
  // The name of a role must not pass through the conversion to snake_case.
  await owner
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      // Stacks that start at the same time do this one after the other.
      await sql`SELECT pg_advisory_xact_lock(hashtext('svc-grants'))`.execute(trx);
      await sql`GRANT USAGE ON SCHEMA public TO ${to}`.execute(trx);
      await sql`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${to}`.execute(trx);
      const rows = sql`SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public`;
      await sql`GRANT ${rows} TO ${to}`.execute(trx);
      for (const { table, withheld } of restricted) {
        await sql`REVOKE ${sql.raw(withheld)} ON ${sql.table(table)} FROM ${to}`.execute(trx);
      }
    });
}
