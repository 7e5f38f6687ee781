// Plan minutes: reserved before inference, debited with completion, never below zero.
import { sql, type Transaction } from 'kysely';
import { announceCompletion } from './completions.ts';
import type { Db } from './database.ts';
import { releaseReservation, type RequestRef } from './requests.ts';
import type { Database } from './tables.ts';

/** The organization cannot cover the audio; the caller's answer is 402 `allowance_exhausted`. */
export class AllowanceExhausted extends Error {
  override readonly name = 'AllowanceExhausted';
}

/** The attempt is not running (any more): another one took over, or it has ended. */
export class RequestNotRunning extends Error {
  override readonly name = 'RequestNotRunning';
}

export interface Balance {
  /** Seconds left after debits and open reservations; never negative unless overage is allowed. */
  readonly remainingSeconds: number;
  readonly overageAllowed: boolean;
}

/** Derived from the ledger. */
export async function balanceOf(db: Db, organizationId: string): Promise<Balance> {
  const row = await db
    .selectFrom('organizations')
    .select(['allowance_seconds', 'overage_allowed'])
    .select(
      sql<string>`(SELECT coalesce(sum(CASE kind WHEN 'release' THEN -seconds ELSE seconds END), 0)
        FROM ledger WHERE ledger.organization_id = organizations.id)`.as('spent'),
    )
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return {
    remainingSeconds: row.allowance_seconds - Number(row.spent),
    overageAllowed: row.overage_allowed,
  };
}

/** True when anything is left, or overage is allowed: the check before a body is read. */
export async function hasAllowance(db: Db, organizationId: string): Promise<boolean> {
  const { remainingSeconds, overageAllowed } = await balanceOf(db, organizationId);
  return overageAllowed || remainingSeconds > 0;
}

/**
 * Marks the attempt as running and reserves its seconds, in one transaction. Repeating it is safe.
 * @throws AllowanceExhausted, RequestNotRunning
 */
export async function reserve(db: Db, ref: RequestRef, seconds: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const running = await trx
      .updateTable('requests')
      .set({ state: 'running', updated_at: sql`now()` })
      .where('organization_id', '=', ref.organizationId)
      .where('request_id', '=', ref.requestId)
      .where('attempt', '=', ref.attempt)
      .where('state', 'in', ['admitted', 'running'])
      .returning('state')
      .executeTakeFirst();
    if (!running) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    if (seconds > 0) await insertReservation(trx, ref, seconds);
  });
}

/** The organization's row is locked, so that two reservations cannot share the last minutes. */
async function insertReservation(
  trx: Transaction<Database>,
  ref: RequestRef,
  seconds: number,
): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', ref.organizationId)
    .forUpdate()
    .execute();
  const inserted = await trx
    .insertInto('ledger')
    .values({ ...ledgerKey(ref), kind: 'reserve', seconds })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return;
  const { remainingSeconds, overageAllowed } = await balanceOf(trx, ref.organizationId);
  if (remainingSeconds < 0 && !overageAllowed) {
    const left = remainingSeconds + seconds;
    throw new AllowanceExhausted(
      `The recording needs ${seconds} seconds of plan minutes and ${left} are left.`,
    );
  }
}

/**
 * Debits and completes in one transaction. Repeating it for the same attempt changes nothing.
 * @throws RequestNotRunning when the attempt failed or another attempt took over
 */
export async function settle(db: Db, ref: RequestRef, billableSeconds: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const completed = await trx
      .updateTable('requests')
      .set({ state: 'completed', billable_seconds: billableSeconds, updated_at: sql`now()` })
      .where('organization_id', '=', ref.organizationId)
      .where('request_id', '=', ref.requestId)
      .where('attempt', '=', ref.attempt)
      .where('state', 'in', ['admitted', 'running', 'completed'])
      .returning('state')
      .executeTakeFirst();
    if (!completed) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    await releaseReservation(trx, ref);
    if (billableSeconds > 0) {
      await trx
        .insertInto('ledger')
        .values({ ...ledgerKey(ref), kind: 'debit', seconds: billableSeconds })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await announceCompletion(trx, ref);
  });
}

function ledgerKey(ref: RequestRef) {
  return {
    organization_id: ref.organizationId,
    request_id: ref.requestId,
    attempt: ref.attempt,
  };
}
