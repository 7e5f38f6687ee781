// Deletes rows past their retention in bounded steps. Rows about money are kept
// (docs/operations.md).
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** How long the outcome of a request id is known. */
const requestDays = 400;
/** How long the token of an ended session is distinguished from an unknown one. */
const sessionDays = 30;
const credentialDays = 1;

/** Rows per statement, which holds its locks for 0.1 to 0.6 s where there are millions of them. */
export const stepRows = 1_000;
/** Statements per table and pass, which is more than a busy service adds between two passes. */
const maxSteps = 20;

/** Deletes expired rows. */
export async function pruneRows(db: Db): Promise<void> {
  for (const step of [pruneRequests, pruneSessions, pruneCredentials]) {
    await inSteps(() => step(db));
  }
}

/**
 * Repeats a statement that deletes at most `stepRows` rows while it finds so many; what remains is
 * left to the next pass.
 * @param step returns how many it has deleted
 */
export async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let i = 0; i < maxSteps && (await step()) === stepRows; i += 1);
}

/**
 * Deletes ended requests. Their charges stay in the ledger; model and task, which only their rows
 * hold, are aggregated by day in the same statement.
 * @returns how many were deleted
 */
async function pruneRequests(db: Db): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    WITH old AS (
      SELECT organization_id, request_id FROM requests
      WHERE state IN ('completed', 'failed', 'closed')
        AND updated_at < now() - make_interval(days => ${requestDays})
      ORDER BY updated_at LIMIT ${stepRows} FOR UPDATE SKIP LOCKED),
    gone AS (
      DELETE FROM requests USING old
      WHERE requests.organization_id = old.organization_id
        AND requests.request_id = old.request_id
      RETURNING requests.organization_id, requests.request_id, model, task, first_attempt),
    added AS (
      INSERT INTO usage_history AS history
      SELECT organization_id, (ledger.created_at AT TIME ZONE 'UTC')::date, model, task, count(*),
        sum(ledger.seconds), sum(ledger.microusd)
      FROM gone JOIN ledger USING (organization_id, request_id)
      WHERE ledger.kind = 'debit' AND ledger.attempt >= first_attempt GROUP BY 1, 2, 3, 4
      ON CONFLICT (organization_id, day, model, task) DO UPDATE SET
        requests = history.requests + excluded.requests,
        seconds = history.seconds + excluded.seconds,
        microusd = history.microusd + excluded.microusd)
    SELECT count(*) AS gone FROM gone`.execute(db);
  return rows[0]!.gone;
}

async function pruneSessions(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM prepared_sessions WHERE (organization_id, session_id) IN (
      SELECT organization_id, session_id FROM prepared_sessions
      WHERE closed_at IS NOT NULL AND expires_at < now() - make_interval(days => ${sessionDays})
      ORDER BY expires_at LIMIT ${stepRows})`.execute(db);
  return Number(numAffectedRows);
}

/** Tickets and client tokens. */
async function pruneCredentials(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM stream_credentials WHERE hash IN (
      SELECT hash FROM stream_credentials
      WHERE expires_at < now() - make_interval(days => ${credentialDays})
      ORDER BY expires_at LIMIT ${stepRows})`.execute(db);
  return Number(numAffectedRows);
}
