// Completes attempts of requests and debits them, in one statement: what it locks, others of the
// organization wait for, and between two statements there may be a network.
import { sql, type RawBuilder } from 'kysely';
import { suspendedNow } from './account-status.ts';
import type { Db } from './database.ts';
import { attemptsTable, isOfAttempt, type LedgerGroup } from './ledger-group.ts';
import { costInSql, intoLedger } from './ledger.ts';

export interface SettledAttempt {
  readonly requestId: string;
  /** As an item of a batch, which is neither completed nor charged then. */
  readonly suspended: boolean;
  readonly debited: boolean;
}

/**
 * All of the group or nothing: each attempt has to be running, and no item of a batch may be of a
 * suspended organization. A reservation is released, and the debit is of its billing period.
 * Repeating it has no effect.
 * @param announcement expression that is evaluated with the completion
 * @returns the attempts that were found, by which the caller knows whether it was done
 */
export async function settleAttempts(
  db: Db,
  group: LedgerGroup,
  announcement: RawBuilder<unknown>,
): Promise<readonly SettledAttempt[]> {
  const { organizationId, attempts } = group;
  const { rows } = await sql<SettledAttempt>`
    WITH found AS (
      SELECT requests.request_id, requests.attempt, seconds, ${costInSql} AS microusd,
        batch_id IS NOT NULL AND ${suspendedNow} AS suspended
      FROM requests JOIN ${attemptsTable(group)} ON ${isOfAttempt}
      WHERE organization_id = ${organizationId}
        AND state IN ('admitted', 'running', 'completed')
      -- Always in the same order: two groups that share some would wait for each other.
      ORDER BY requests.request_id
      FOR NO KEY UPDATE OF requests
    ), settled AS (
      SELECT * FROM found WHERE
        (SELECT count(*) = ${attempts.length} AND NOT bool_or(suspended) FROM found)
    ), completed AS (
      UPDATE requests SET state = 'completed', billable_seconds = seconds, updated_at = now()
      FROM settled WHERE requests.organization_id = ${organizationId}
        AND (requests.request_id, requests.attempt) = (settled.request_id, settled.attempt)
    ), reserved AS (
      SELECT ledger.* FROM ledger JOIN settled USING (request_id, attempt)
      WHERE organization_id = ${organizationId} AND kind = 'reserve'
    ), written AS (
      ${intoLedger}
      SELECT organization_id, request_id, attempt, 'release', seconds, microusd, period
      FROM reserved
      UNION ALL
      SELECT organizations.id, settled.request_id, settled.attempt, 'debit', settled.seconds,
        settled.microusd, coalesce(reserved.period, billing_period(plan, period_anchor))
      FROM organizations, settled LEFT JOIN reserved USING (request_id, attempt)
      WHERE organizations.id = ${organizationId} AND settled.seconds > 0
      ON CONFLICT DO NOTHING RETURNING request_id, kind
    )
    SELECT request_id, suspended, (SELECT ${announcement} FROM settled LIMIT 1)::text,
      EXISTS (SELECT FROM written
        WHERE kind = 'debit' AND written.request_id = found.request_id) AS debited
    FROM found`.execute(db);
  return rows;
}
