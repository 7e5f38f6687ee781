// Statements of a test's database that wait for the locks of others.
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { until } from './until.ts';

/** Until this many statements wait for the lock of another one. */
export function untilBlocked(db: Db, statements = 1): Promise<unknown> {
  return until(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    return rows.length === statements;
  });
}
