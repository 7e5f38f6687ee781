// Reserves an attempt's seconds in one statement, where nothing stands against it: between two
// statements there may be a network, and others of the organization wait for what they lock.
import { sql } from 'kysely';
import { planRows } from '../models/contract/plans.ts';
import type { Db } from './database.ts';
import { attemptsTable, isOfAttempt } from './ledger-group.ts';
import { costInSql, intoLedger } from './ledger.ts';
import type { ClaimRef } from './request-ref.ts';

const creditPlans = Object.entries(planRows)
  .filter(([, { paysWith }]) => paysWith === 'credits')
  .map(([plan]) => plan);

/**
 * Marks the attempt as running and reserves its seconds. The organization's row is locked before
 * its totals are read, so that two reservations cannot share what is left.
 * @returns false when nothing was changed: the attempt is not running, or the organization is
 * suspended or cannot pay
 */
export async function reserveAttempt(db: Db, ref: ClaimRef, seconds: number): Promise<boolean> {
  const { organizationId } = ref;
  const group = { organizationId, attempts: [{ ...ref, seconds }] };
  const { rows } = await sql<{ reserved: boolean }>`
    -- Locked as in all transactions: the request first, then the organization.
    WITH found AS (
      SELECT requests.request_id, requests.attempt, seconds, ${costInSql} AS microusd
      FROM requests JOIN ${attemptsTable(group)} ON ${isOfAttempt}
      WHERE organization_id = ${organizationId} AND state IN ('admitted', 'running')
        AND seconds > 0
      FOR NO KEY UPDATE OF requests
    ), payer AS (
      SELECT *, billing_period(plan, period_anchor) AS period
      FROM organizations
      WHERE id = ${organizationId} AND NOT suspended AND EXISTS (SELECT FROM found)
      FOR NO KEY UPDATE
    ), paid AS (
      SELECT found.*, payer.period
      FROM found, payer LEFT JOIN LATERAL ledger_totals_now(id, payer.period) AS totals ON true
      WHERE CASE
        WHEN plan = ANY(${creditPlans})
          THEN coalesce(granted_microusd - totals.microusd, 0) >= found.microusd
        ELSE overage_seconds IS NULL
          -- Each of them may be the largest integer.
          OR allowance_seconds::bigint + overage_seconds - coalesce(totals.seconds, 0)
            >= found.seconds END
    ), started AS (
      UPDATE requests SET state = 'running', updated_at = now()
      FROM paid WHERE requests.organization_id = ${organizationId}
        AND (requests.request_id, requests.attempt) = (paid.request_id, paid.attempt)
    ), written AS (
      ${intoLedger}
      SELECT ${organizationId}, request_id, attempt, 'reserve', seconds, microusd, period FROM paid
      ON CONFLICT DO NOTHING
    )
    SELECT EXISTS (SELECT FROM paid) AS reserved`.execute(db);
  return rows[0]!.reserved;
}
