// Rows that are old enough to go, in bounded steps. Money rows never go (docs/operations.md).
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** So long a request id is answered with what became of it, whatever it was. */
const requestDays = 400;
/** So long the token of a session that is over is told from an unknown one. */
const sessionDays = 30;
const credentialDays = 1;

/** Rows of one statement: it holds its locks for some ten milliseconds. */
const stepRows = 1_000;
/** Of one table in one pass: more than a pass's share of what a busy service adds. */
const maxSteps = 20;

/** Deletes what is past its time; what it leaves, the next pass finds. */
export async function pruneRows(db: Db): Promise<void> {
  for (const step of [pruneRequests, pruneSessions, pruneCredentials]) {
    for (let i = 0; i < maxSteps && (await step(db)) === stepRows; i += 1);
  }
}

/**
 * Ended requests. What they were charged for stays in the ledger; their model and task, which only
 * their rows knew, are added up by day in the same statement.
 * @returns how many went
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
      RETURNING requests.organization_id, requests.request_id, model, task),
    added AS (
      INSERT INTO usage_history AS history
      SELECT organization_id, (ledger.created_at AT TIME ZONE 'UTC')::date, model, task, count(*),
        sum(ledger.seconds), sum(ledger.microusd)
      FROM gone JOIN ledger USING (organization_id, request_id)
      WHERE ledger.kind = 'debit' GROUP BY 1, 2, 3, 4
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
