// The connection pool.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;

const defaultAcquireTimeoutMs = 5_000;
const defaultStatementTimeoutMs = 15_000;
/** Locks are held for milliseconds; whoever waits so long waits for something that is stuck. */
const lockTimeoutMs = 10_000;
/** Between two statements of a transaction nothing slow is done. */
const idleInTransactionTimeoutMs = 20_000;

export interface DatabaseOptions {
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  /** For a free connection of the pool, or a new one: a caller then gets 503 and no long wait. */
  readonly acquireTimeoutMs?: number;
}

/** Opens a pool; connections are made when needed. Close it with `db.destroy()`. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { maxConnections = 10, statementTimeoutMs = defaultStatementTimeoutMs } = options;
  const { acquireTimeoutMs = defaultAcquireTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  });
  // A connection that breaks while idle is replaced at its next use: no reason to end the process.
  pool.on('error', () => {});
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** One cheap round trip. @throws when the database does not answer */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
