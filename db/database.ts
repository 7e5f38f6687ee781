// The connection pool.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 15_000;

/** Opens a pool; connections are made when needed. Close it with `db.destroy()`. */
export function openDatabase(url: string, { maxConnections = 10 } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
  });
  // A connection that breaks while idle is replaced at its next use: no reason to end the process.
  pool.on('error', () => {});
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** One cheap round trip. @throws when the database does not answer */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
