// Requests of a key in its current minute, counted where every API process sees them.
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface RateWindow {
  /** With this one. */
  readonly used: number;
  /** Whole seconds until the count begins anew, >= 1. */
  readonly secondsLeft: number;
}

export const windowSeconds = 60;

/**
 * Counts one request. A window begins with the first request after the last one's end, also where
 * it lies ahead because the clock was set back: nobody is held up until then.
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
