// Entries of the ledger: reserve, release, debit, grant. They are written once and never changed.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { attemptKey, type RequestRef } from './request-ref.ts';
import type { LedgerKind } from './tables.ts';

/** Audio and its cost; plans count the seconds, credits the money. */
export interface Amount {
  readonly seconds: number;
  readonly microUsd: number;
}

/** Cost of an amount of audio, rounded half up. @param rate micro-dollars per minute */
export function amountOf(rate: number, seconds: number): Amount {
  return { seconds, microUsd: Math.floor((2 * rate * seconds + 60) / 120) };
}

/** What an attempt has reserved, and the billing period that it belongs to. */
export interface Reservation extends Amount {
  readonly period: Date;
}

export async function findReservation(db: Db, ref: RequestRef): Promise<Reservation | null> {
  const row = await db
    .selectFrom('ledger')
    .select(['seconds', 'microusd as microUsd', 'period'])
    .where((eb) => eb.and(attemptKey(ref)))
    .where('kind', '=', 'reserve')
    .executeTakeFirst();
  return row ?? null;
}

/** Whether any attempt of a request id was charged, even if its row is gone. */
export async function isDebited(
  db: Db,
  { organizationId, requestId }: Omit<RequestRef, 'attempt'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('ledger')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('requestId', '=', requestId)
    .where('kind', '=', 'debit')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * @param period default: the organization's current period
 * @returns false when the entry existed before
 */
export async function writeEntry(
  db: Db,
  entry: RequestRef & Amount & { readonly kind: LedgerKind; readonly period?: Date | undefined },
): Promise<boolean> {
  const { organizationId, requestId, attempt, kind, seconds, microUsd, period } = entry;
  const { rows } = await sql`
    INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period)
    SELECT id, ${requestId}, ${attempt}::int, ${kind}, ${seconds}::int, ${microUsd}::bigint,
      coalesce(${period ?? null}::timestamptz, billing_period(plan, period_anchor))
    FROM organizations WHERE id = ${organizationId}
    ON CONFLICT DO NOTHING RETURNING id`.execute(db);
  return rows.length > 0;
}

/**
 * Releases an open reservation of the attempt; has no effect when there is none.
 * @returns the billing period that it belongs to
 */
export async function releaseReservation(db: Db, ref: RequestRef): Promise<Date | undefined> {
  const { rows } = await sql<{ period: Date }>`
    INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period)
    SELECT organization_id, request_id, attempt, 'release', seconds, microusd, period FROM ledger
    WHERE organization_id = ${ref.organizationId} AND request_id = ${ref.requestId}
      AND attempt = ${ref.attempt} AND kind = 'reserve'
    ON CONFLICT DO NOTHING RETURNING period`.execute(db);
  return rows[0]?.period;
}
