// Statements of a test's database that wait for the locks of others.
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { until } from './until.ts';

/**
 * Until a statement waits for a lock of the transaction, which is ended when it is idle for long; a
 * step that is repeated has two.
 */
export function untilAnyIsBlocked(db: Db, holding: Db): Promise<unknown> {
  return until(async () => {
    await sql`SELECT`.execute(holding);
    return (await countBlocked(db)) > 0;
  });
}

/** Until this many statements wait for the lock of another one. */
export function untilBlocked(db: Db, statements = 1): Promise<unknown> {
  return until(async () => (await countBlocked(db)) === statements);
}

async function countBlocked(db: Db): Promise<number> {
  const { rows } = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
