// Requests of a key in its current minute, counted for all API processes.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

export interface RateWindow {
  /** This request included. */
  readonly used: number;
  /** Whole seconds until the next window, >= 1. */
  readonly secondsLeft: number;
}

export const windowSeconds = 60;

/** Counts one request. */
export async function countRequest(db: Db, keyId: string): Promise<RateWindow> {
  const { rows } = await counting(sql`(SELECT ${keyId} AS key_id) AS one`).execute(db);
  return rows[0]!;
}

/**
 * The statement that counts a request of each key. A window starts with the first request after the
 * end of the previous one. A window that lies in the future, because the clock was set back, is
 * replaced.
 * @param keys what is selected from, with the column `key_id`
 */
export function counting(keys: RawBuilder<unknown>): RawBuilder<RateWindow> {
  const window = sql`make_interval(secs => ${windowSeconds})`;
  const runs = sql`current.began_at > excluded.began_at - ${window}
    AND current.began_at < excluded.began_at + interval '1 second'`;
  return sql<RateWindow>`
    INSERT INTO rate_windows AS current SELECT key_id, clock_timestamp(), 1 FROM ${keys}
    ON CONFLICT (key_id) DO UPDATE SET
      used = CASE WHEN ${runs} THEN current.used + 1 ELSE 1 END,
      began_at = CASE WHEN ${runs} THEN current.began_at ELSE excluded.began_at END
    RETURNING used,
      greatest(1, ceil(extract(epoch FROM began_at + ${window} - clock_timestamp())))::int
        AS seconds_left`;
}
