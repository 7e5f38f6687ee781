// The usage of an organization from its ledger, for invoices, questions and the console.
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface UsageRow {
  /** UTC, `2026-11-21`. */
  readonly day: string;
  readonly model: string;
  readonly task: string;
  readonly requests: number;
  readonly seconds: number;
  readonly microUsd: number;
}

export interface UsageSpan {
  readonly organizationId: string;
  /** UTC days, both included; null without a limit. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Debits by day, model and task, oldest first: from the ledger, and from the aggregates of requests
 * whose rows are gone. The row of an id that is used again has none of the debits before it.
 */
export async function usageReport(db: Db, span: UsageSpan): Promise<readonly UsageRow[]> {
  const { organizationId } = span;
  const from = span.from ?? '-infinity';
  const to = span.to ?? 'infinity';
  const { rows } = await sql<UsageRow>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, model, task, sum(requests) AS requests,
      sum(seconds) AS seconds, sum(microusd) AS micro_usd
    FROM (
      SELECT (ledger.created_at AT TIME ZONE 'UTC')::date AS day, model, task, 1 AS requests,
        ledger.seconds, ledger.microusd
      FROM ledger JOIN requests USING (organization_id, request_id)
      WHERE ledger.organization_id = ${organizationId} AND ledger.kind = 'debit'
        AND ledger.created_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'
        AND ledger.created_at < (${to}::date + interval '1 day') AT TIME ZONE 'UTC'
        AND ledger.attempt >= requests.first_attempt
      UNION ALL
      SELECT day, model, task, requests, seconds, microusd FROM usage_history
      WHERE organization_id = ${organizationId} AND day >= ${from}::date AND day <= ${to}::date
    ) AS debits
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(db);
  return rows;
}

export type DayUsage = Pick<UsageRow, 'day' | 'requests' | 'seconds'>;

/**
 * Debits by day since a UTC day, oldest first. The ledger has them all: without model and task no
 * row of a request is read, of which a busy organization has a million in a month. Each day is a
 * range of an index, so that the time it takes does not grow with the ledger.
 */
export async function usageByDay(
  db: Db,
  { organizationId, from }: Pick<UsageSpan, 'organizationId'> & { readonly from: string },
): Promise<readonly DayUsage[]> {
  const { rows } = await sql<DayUsage>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, requests, seconds
    FROM generate_series(${from}::date::timestamp,
        (now() AT TIME ZONE 'UTC')::date + interval '1 day', interval '1 day') AS day,
      LATERAL (SELECT count(*) AS requests, sum(seconds) AS seconds FROM ledger
        WHERE organization_id = ${organizationId} AND kind = 'debit'
          AND created_at >= day AT TIME ZONE 'UTC'
          AND created_at < (day + interval '1 day') AT TIME ZONE 'UTC') AS debits
    WHERE requests > 0 ORDER BY 1`.execute(db);
  return rows;
}
