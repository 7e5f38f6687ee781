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

/** The same of `seconds` at the price of a request. */
export const costInSql = sql`((2 * microusd_per_minute * seconds::bigint + 60) / 120)`;

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

interface EntryRows {
  readonly organizationId: string;
  readonly kind: LedgerKind;
  /**
   * Locks the organization's row, so that two reservations cannot share what is left. In the same
   * statement, because those that follow wait for the commit.
   */
  readonly locks?: true;
}

/**
 * Writes entries of different requests in one statement.
 * @returns the ids of the requests whose entry is new
 */
export async function writeEntries(
  db: Db,
  { organizationId, kind, locks }: EntryRows,
  entries: readonly LedgerEntry[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ requestId: string }>`
    ${intoLedger}
    SELECT id, request_id, attempt, ${kind}, seconds, microusd,
      coalesce(entry.period, organization.period)
    FROM ${periodOf(organizationId, locks)}, ${entryTable(entries)}
    ON CONFLICT DO NOTHING RETURNING request_id`.execute(db);
  return new Set(rows.map(({ requestId }) => requestId));
}

function periodOf(organizationId: string, locks?: true) {
  const locking = locks ? sql`FOR NO KEY UPDATE` : sql``;
  return sql`(SELECT id, billing_period(plan, period_anchor) AS period
    FROM organizations WHERE id = ${organizationId} ${locking}) AS organization`;
}

function entryTable(entries: readonly LedgerEntry[]) {
  const column = <T>(of: (entry: LedgerEntry) => T): T[] => entries.map(of);
  return sql`unnest(
    ${column((entry) => entry.requestId)}::text[],
    ${column((entry) => entry.attempt)}::int[],
    ${column((entry) => entry.seconds)}::int[],
    ${column((entry) => entry.microUsd)}::bigint[],
    ${column((entry) => entry.period ?? null)}::timestamptz[]
  ) AS entry (request_id, attempt, seconds, microusd, period)`;
}

/** @returns false when the entry existed before */
export async function writeEntry(
  db: Db,
  entry: LedgerEntry & { readonly organizationId: string; readonly kind: LedgerKind },
): Promise<boolean> {
  const written = await writeEntries(db, entry, [entry]);
  return written.size > 0;
}

type Attempts = readonly Omit<RequestRef, 'organizationId'>[];

/** Releases the open reservations of attempts; those without one are left as they are. */
export async function releaseReservations(
  db: Db,
  organizationId: string,
  attempts: Attempts,
): Promise<void> {
  await sql`${intoLedger}
    SELECT organization_id, request_id, attempt, 'release', seconds, microusd, period
    FROM ledger JOIN unnest(
      ${attempts.map(({ requestId }) => requestId)}::text[],
      ${attempts.map(({ attempt }) => attempt)}::int[]
    ) AS open (request_id, attempt) USING (request_id, attempt)
    WHERE organization_id = ${organizationId} AND kind = 'reserve'
    ON CONFLICT DO NOTHING`.execute(db);
}

/** The start of a statement that writes entries. */
export const intoLedger = sql`
  INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period)`;
