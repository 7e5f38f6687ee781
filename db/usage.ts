// Plan minutes and credits: reserved before inference, debited with completion, never below zero.
import { sql, type Transaction } from 'kysely';
import { AllowanceExhausted, balanceOf, leftOf, lockOrganization } from './balance.ts';
import { announceCompletion } from './completions.ts';
import type { Db } from './database.ts';
import { amountOf, releaseReservation, writeEntry, type Amount } from './ledger.ts';
import { attemptKey, type RequestRef } from './request-ref.ts';
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
      .returning('microusd_per_minute as rate')
      .executeTakeFirst();
    if (!running) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    if (seconds <= 0) return;
    const taken = ref.slot && (await takeFromSession(trx, ref.organizationId, ref.slot, seconds));
    if (taken) await writeEntry(trx, { ...ref, kind: 'reserve', ...taken });
    else await insertReservation(trx, ref, amountOf(running.rate, seconds));
  });
}

/** The organization's row is locked, so that two reservations cannot share what is left. */
async function insertReservation(
  trx: Transaction<Database>,
  ref: RequestRef,
  amount: Amount,
): Promise<void> {
  await lockOrganization(trx, ref.organizationId);
  if (!(await writeEntry(trx, { ...ref, kind: 'reserve', ...amount }))) return;
  const balance = await balanceOf(trx, ref.organizationId);
  const left = leftOf(balance);
  if (left >= 0) return;
  const [needs, has] =
    balance.plan === 'credits'
      ? [`${dollars(amount.microUsd)} of credits`, dollars(left + amount.microUsd)]
      : [`${amount.seconds} seconds of plan minutes`, `${left + amount.seconds}`];
  throw new AllowanceExhausted(`The recording needs ${needs} and ${has} are left.`);
}

function dollars(microUsd: number): string {
  return `${(microUsd / 1e6).toFixed(6)} USD`;
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
      .returning('microusd_per_minute as rate')
      .executeTakeFirst();
    if (!completed) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
    const period = await releaseReservation(trx, ref);
    if (billableSeconds > 0) {
      const amount = amountOf(completed.rate, billableSeconds);
      // The period that admitted it pays for it.
      await writeEntry(trx, { ...ref, kind: 'debit', ...amount, period });
    }
    await announceCompletion(trx, ref);
  });
}
