// The connection pool of PostgreSQL, and checks of its health.
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
import { connectionString } from './connection.ts';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;

const defaultAcquireTimeoutMs = 5_000;
const defaultStatementTimeoutMs = 15_000;
/** Locks are held for milliseconds; a longer wait means that something is stuck. */
const defaultLockTimeoutMs = 10_000;
/**
 * A transaction does nothing slow between its statements. Shorter than a wait for a lock: a machine
 * that vanishes in a transaction holds its locks for this long, and who waits for them still gets
 * them.
 */
const defaultIdleInTransactionTimeoutMs = 8_000;
/**
 * The server ends a statement before this margin; a connection without an answer by then is closed.
 */
const answerMarginMs = 2_000;

export interface DatabaseOptions {
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  /**
   * Time limit for a connection, free or new, so that a caller gets a 503 instead of a long wait.
   */
  readonly acquireTimeoutMs?: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs?: number;
  /** How long a transaction does nothing before the server ends it, and its connection. */
  readonly idleInTransactionTimeoutMs?: number;
}

/** Opens a pool, whose connections are made on demand. Close it with `db.destroy()`. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { maxConnections = 10, statementTimeoutMs = defaultStatementTimeoutMs } = options;
  const { acquireTimeoutMs = defaultAcquireTimeoutMs } = options;
  const { lockTimeoutMs = defaultLockTimeoutMs } = options;
  const { idleInTransactionTimeoutMs = defaultIdleInTransactionTimeoutMs } = options;
  const limits = {
    ...{ statementTimeoutMs, acquireTimeoutMs },
    ...{ lockTimeoutMs, idleInTransactionTimeoutMs },
  };
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    types: columnTypes,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: statementTimeoutMs + answerMarginMs,
    verify: (client, done) => {
      client.query(limitSession(limits), done);
    },
  });
  // A broken connection is replaced at its next use and must not end the process. A query in
  // progress reports the error itself, as the pool listens to idle connections alone.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return queriesOver(withoutLost(pool));
}

/**
 * A statement that sets the server's limits of a new connection. As parameters of the connection
 * itself PgBouncer would reject or drop them.
 */
function limitSession({
  statementTimeoutMs,
  acquireTimeoutMs,
  lockTimeoutMs,
  idleInTransactionTimeoutMs,
}: Required<Omit<DatabaseOptions, 'maxConnections'>>) {
  const text = `SELECT set_config('statement_timeout', $1, false),
    set_config('lock_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false)`;
  const limits = [statementTimeoutMs, lockTimeoutMs, idleInTransactionTimeoutMs];
  return { text, values: limits.map(String), query_timeout: acquireTimeoutMs };
}

/**
 * Names are camelCase in code and snake_case in the database. Raw SQL is sent as it is, and the
 * columns that it returns become camelCase; keys within a jsonb column are kept.
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

/** The server's version as it says it: `16.4 (Debian …)`. */
export async function databaseVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    SELECT current_setting('server_version') AS version`.execute(db);
  return rows[0]!.version;
}

/** By the database's clock, as the clocks of machines differ. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(db);
  return rows[0]!.now;
}

/**
 * Sorts more than fits into memory, so that the server has to write to its disk; nothing is kept.
 * @throws when the disk is full, or when the server is a standby
 */
export async function requireWritableDatabase(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL work_mem = '64kB'`.execute(trx);
    await sql`SELECT txid_current(), count(DISTINCT repeat(md5(n::text), 30))
      FROM generate_series(1, 500) AS n`.execute(trx);
  });
}

/**
 * Closes a connection as soon as its server is silent or has become a standby, so that neither the
 * rest of its transaction nor its next user waits for it. The next connection resolves the address
 * again.
 */
function withoutLost(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        try {
          return await client.query(text, parameters);
        } catch (error) {
          if (isSilence(error) || isDemotion(error)) client.end(() => {});
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

const readOnlyTransaction = '25006';

/** After a failover the old primary continues as a standby and rejects writes. */
function isDemotion(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === readOnlyTransaction;
}
