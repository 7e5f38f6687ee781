// What the service's own role may do: rows of its tables and no more; it owns nothing.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Rows that are written once, or kept by triggers: out of the reach of the service. */
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
 * Gives a role what the service needs, by the owner of the schema and after every migration.
 * Nobody is given TRUNCATE, REFERENCES or TRIGGER.
 */
export async function grantService(owner: Db, role: string): Promise<void> {
  const to = sql.id(role);
  // A role is called what it is called: its name is not one of the code's.
  await owner
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      // Stacks that start at once take turns.
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
