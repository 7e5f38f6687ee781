// Requests of a key in its current minute, counted for all API processes.
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface RateWindow {
  /** This request included. */
  readonly used: number;
  /** Whole seconds until the next window, >= 1. */
  readonly secondsLeft: number;
}

export const windowSeconds = 60;

/**
 * Counts one request. A window starts with the first request after the end of the previous one. A
 * window that lies in the future, because the clock was set back, is replaced.
 */
export async function countRequest(db: Db, keyId: string): Promise<RateWindow> {
  const window = sql`make_interval(secs => ${windowSeconds})`;
  const runs = sql`current.began_at > excluded.began_at - ${window}
    AND current.began_at < excluded.began_at + interval '1 second'`;
  const { rows } = await sql<{ used: number; seconds: number }>`
    INSERT INTO rate_windows AS current VALUES (${keyId}, clock_timestamp(), 1)
    ON CONFLICT (key_id) DO UPDATE SET
      used = CASE WHEN ${runs} THEN current.used + 1 ELSE 1 END,
      began_at = CASE WHEN ${runs} THEN current.began_at ELSE excluded.began_at END
    RETURNING used, ceil(extract(epoch FROM began_at + ${window} - clock_timestamp())) AS seconds
  `.execute(db);
  const { used, seconds } = rows[0]!;
  return { used, secondsLeft: Math.max(1, seconds) };
}
