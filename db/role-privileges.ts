// The privileges of the service's role: it may work with rows but owns nothing.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Database } from './tables.ts';

const everyRow = 'SELECT, INSERT, UPDATE, DELETE';

/** Tables that only statements of their own know. */
const plainSql = ['places', 'placeHolders', 'rateWindows'] as const;

/**
 * Rows of some tables are written once or maintained by triggers, and the service must not change
 * them. Tables of others in the same schema, and those of the migrations, are none of its business.
 */
const privileges: Readonly<Record<keyof Database | (typeof plainSql)[number], string>> = {
  organizations: 'SELECT, INSERT, UPDATE',
  apiKeys: 'SELECT, INSERT, UPDATE',
  requests: everyRow,
  ledger: 'SELECT, INSERT',
  ledgerTotals: 'SELECT',
  objects: everyRow,
  lateWrites: everyRow,
  modelAccess: everyRow,
  audit: 'SELECT, INSERT',
  preparedSessions: everyRow,
  streamCredentials: everyRow,
  files: everyRow,
  batches: everyRow,
  batchItems: everyRow,
  itemProgress: everyRow,
  recordings: everyRow,
  webhookSecrets: everyRow,
  sourceCredentials: everyRow,
  uploadTombstones: everyRow,
  storageTotals: 'SELECT',
  sweepPositions: everyRow,
  usageHistory: everyRow,
  decodeAttempts: everyRow,
  quarantinedAudio: everyRow,
  failedDecodes: everyRow,
  places: everyRow,
  placeHolders: everyRow,
  rateWindows: everyRow,
};

/**
 * Grants a role what the service needs; called by the schema's owner after every migration.
 * TRUNCATE, REFERENCES and TRIGGER are never granted. A role that owns the schema itself keeps
 * everything: the triggers of totals run as the owner, and what was taken from it comes back.
 */
export async function grantService(
  owner: Db,
  role: string,
  { ownsSchema = false } = {},
): Promise<void> {
  const to = sql.id(role);
  // The name of a role must not pass through the conversion to snake_case.
  await owner
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      // Stacks that start at the same time do this one after the other.
      await sql`SELECT pg_advisory_xact_lock(hashtext('svc-grants'))`.execute(trx);
      const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(trx);
      const schema = rows[0]!.name;
      await sql`GRANT USAGE ON SCHEMA ${sql.id(schema)} TO ${to}`.execute(trx);
      for (const [name, granted] of Object.entries(privileges)) {
        const table = sql.id(schema, tableOf(name));
        if (!ownsSchema) await sql`REVOKE ALL ON ${table} FROM ${to}`.execute(trx);
        await sql`GRANT ${sql.raw(ownsSchema ? 'ALL' : granted)} ON ${table} TO ${to}`.execute(trx);
      }
    });
}

function tableOf(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

/** What the last migration adds: the service's role cannot read which ones have run. */
const newestFunction = 'ledger_totals_now';

/** @throws when the schema is missing or of an older version, or the role has no rights to it */
export async function requireSchema(db: Db): Promise<void> {
  const tables = Object.keys(privileges).map(tableOf);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${tables}::text[]) AS name
    WHERE has_table_privilege(to_regclass(name), 'SELECT') IS NOT TRUE
    UNION ALL SELECT ${newestFunction} WHERE to_regproc(${newestFunction}) IS NULL`.execute(db);
  const [missing] = rows;
  if (missing === undefined) return;
  throw new Error(`the schema lacks ${missing.name}: run "svc migrate" of this version`);
}
