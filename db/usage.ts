// Plan minutes: reserved before inference, debited with completion, never below zero.
import { sql, type Transaction } from 'kysely';
import { AllowanceExhausted, balanceOf, lockOrganization } from './balance.ts';
import { announceCompletion } from './completions.ts';
import type { Db } from './database.ts';
import { attemptKey, releaseReservation, type RequestRef } from './requests.ts';
import { takeFromSession, type SessionSlot } from './sessions.ts';
import type { Database } from './tables.ts';

/** The attempt is not running (any more): another one took over, or it has ended. */
export class RequestNotRunning extends Error {
  override readonly name = 'RequestNotRunning';
}

/**
 * Marks the attempt as running and reserves its seconds, in one transaction: out of a session's
 * reservation where the request is a slot of one. Repeating it is safe.
 * @throws AllowanceExhausted, SessionCapacityExhausted, RequestNotRunning
 */
export async function reserve(
  db: Db,
  ref: RequestRef & { readonly slot?: SessionSlot | undefined },
  seconds: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const running = await trx
      .updateTable('requests')
      .set({ state: 'running', updated_at: sql`now()` })
      .where((eb) => eb.and(attemptKey(ref)))
      .where('state', 'in', ['admitted', 'running'])
      .returning('state')
      .executeTakeFirst();
    if (!running) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    if (seconds <= 0) return;
    if (ref.slot && (await takeFromSession(trx, ref.organizationId, ref.slot, seconds))) {
      await trx
        .insertInto('ledger')
        .values({ ...attemptKey(ref), kind: 'reserve', seconds })
        .execute();
    } else await insertReservation(trx, ref, seconds);
  });
}

/** The organization's row is locked, so that two reservations cannot share the last minutes. */
async function insertReservation(
  trx: Transaction<Database>,
  ref: RequestRef,
  seconds: number,
): Promise<void> {
  await lockOrganization(trx, ref.organizationId);
  const inserted = await trx
    .insertInto('ledger')
    .values({ ...attemptKey(ref), kind: 'reserve', seconds })
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
      .where((eb) => eb.and(attemptKey(ref)))
      .where('state', 'in', ['admitted', 'running', 'completed'])
      .returning('state')
      .executeTakeFirst();
    if (!completed) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    await releaseReservation(trx, ref);
    if (billableSeconds > 0) {
      await trx
        .insertInto('ledger')
        .values({ ...attemptKey(ref), kind: 'debit', seconds: billableSeconds })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await announceCompletion(trx, ref);
  });
}
