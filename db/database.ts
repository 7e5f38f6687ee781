// The connection pool.
import {
  CamelCasePlugin,
  Kysely,
  type LogConfig,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import pg from 'pg';
import { columnTypes } from './column-types.ts';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;

const defaultAcquireTimeoutMs = 5_000;
const defaultStatementTimeoutMs = 15_000;
/** Locks are held for milliseconds; whoever waits so long waits for something that is stuck. */
const lockTimeoutMs = 10_000;
/** Between two statements of a transaction nothing slow is done. */
const idleInTransactionTimeoutMs = 20_000;
/** The server ends a statement before: who has no answer by now is cut off from it. */
const answerMarginMs = 2_000;

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
    types: columnTypes,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    query_timeout: statementTimeoutMs + answerMarginMs,
  });
  // A connection that breaks is replaced at its next use: no reason to end the process. Whoever
  // uses it at that moment hears of it from the query; the pool listens to idle ones alone.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return queriesOver(withoutSilent(pool));
}

/**
 * Names are camelCase in code and snake_case in the database. What a template of raw SQL says is
 * sent as it is, and the columns that it returns are named in camelCase, too; what lies within a
 * column (jsonb) keeps its keys.
 */
export function queriesOver(pool: PostgresPool, log?: LogConfig): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(log && { log }),
  });
}

/** One cheap round trip. @throws when the database does not answer */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Sorts more than fits into its memory, so that the server writes to its disk, and leaves nothing.
 * @throws when the disk is full, or the server a standby
 */
export async function requireWritableDatabase(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL work_mem = '64kB'`.execute(trx);
    await sql`SELECT txid_current(), count(DISTINCT repeat(md5(n::text), 30))
      FROM generate_series(1, 500) AS n`.execute(trx);
  });
}

/**
 * A connection whose server has gone silent is closed at once: what follows in its transaction must
 * not wait as long again, nor the next who would get it from the pool.
 */
function withoutSilent(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        try {
          return await client.query(text, parameters);
        } catch (error) {
          if (isSilence(error)) client.end(() => {});
          throw error;
        }
      };
      return { query, release: () => client.release() } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

/** The driver's own error has no code. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
