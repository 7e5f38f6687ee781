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

/** An entry of one attempt. */
interface LedgerEntry extends Omit<RequestRef, 'organizationId'>, Amount {
  /** Default: the organization's current period. */
  readonly period?: Date | undefined;
}

/**
 * Writes entries of different requests in one statement.
 * @returns the ids of the requests whose entry is new
 */
export async function writeEntries(
  db: Db,
  { organizationId, kind }: { readonly organizationId: string; readonly kind: LedgerKind },
  entries: readonly LedgerEntry[],
): Promise<ReadonlySet<string>> {
  const column = <T>(of: (entry: LedgerEntry) => T): T[] => entries.map(of);
  const { rows } = await sql<{ requestId: string }>`
    INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period)
    SELECT id, request_id, attempt, ${kind}, seconds, microusd,
      coalesce(period, billing_period(plan, period_anchor))
    FROM organizations, unnest(
      ${column((entry) => entry.requestId)}::text[],
      ${column((entry) => entry.attempt)}::int[],
      ${column((entry) => entry.seconds)}::int[],
      ${column((entry) => entry.microUsd)}::bigint[],
      ${column((entry) => entry.period ?? null)}::timestamptz[]
    ) AS entry (request_id, attempt, seconds, microusd, period)
    WHERE id = ${organizationId}
    ON CONFLICT DO NOTHING RETURNING request_id`.execute(db);
  return new Set(rows.map(({ requestId }) => requestId));
}

/** @returns false when the entry existed before */
export async function writeEntry(
  db: Db,
  entry: LedgerEntry & { readonly organizationId: string; readonly kind: LedgerKind },
): Promise<boolean> {
  const written = await writeEntries(db, entry, [entry]);
  return written.size > 0;
}

/**
 * Releases the open reservations of attempts; those without one are left as they are.
 * @returns by request, the billing period that its reservation belongs to
 */
export async function releaseReservations(
  db: Db,
  organizationId: string,
  refs: readonly Omit<RequestRef, 'organizationId'>[],
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ requestId: string; period: Date }>`
    INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period)
    SELECT organization_id, request_id, attempt, 'release', seconds, microusd, period
    FROM ledger JOIN unnest(
      ${refs.map(({ requestId }) => requestId)}::text[],
      ${refs.map(({ attempt }) => attempt)}::int[]
    ) AS open (request_id, attempt) USING (request_id, attempt)
    WHERE organization_id = ${organizationId} AND kind = 'reserve'
    ON CONFLICT DO NOTHING RETURNING request_id, period`.execute(db);
  return new Map(rows.map(({ requestId, period }) => [requestId, period]));
}
