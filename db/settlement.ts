// Plan minutes and credits: reserved before inference, debited with completion, never below zero.
import { sql, type Transaction } from 'kysely';
import { AllowanceExhausted, balanceOf, leftOf, lockOrganization } from './balance.ts';
import { announceCompletion } from './completions.ts';
import { planRows } from '../models/contract/plans.ts';
import type { Db } from './database.ts';
import { amountOf, releaseReservation, writeEntry, type Amount } from './ledger.ts';
import { attemptKey, type RequestRef } from './request-ref.ts';
import { spendFromSession } from './sessions.ts';
import type { SessionSlot } from '../models/contract/recording-request.ts';
import { AccountSuspended, suspendedNow } from './account-status.ts';
import type { Database } from './tables.ts';

/** The attempt is not running any more: it has ended, or another one took over. */
export class RequestNotRunning extends Error {
  override readonly name = 'RequestNotRunning';
}

type ReservingRef = RequestRef & { readonly slot?: SessionSlot | undefined };

/**
 * Marks the attempt as running and reserves its seconds in one transaction, from the session's
 * reservation when the request is a slot of one. It may be repeated.
 * @throws AllowanceExhausted, SessionCapacityExhausted, AccountSuspended, RequestNotRunning
 */
export async function reserve(db: Db, ref: ReservingRef, seconds: number): Promise<void> {
  await db.transaction().execute((trx) => reserveWithin(trx, ref, seconds));
}

async function reserveWithin(
  trx: Transaction<Database>,
  ref: ReservingRef,
  seconds: number,
): Promise<void> {
  const running = await trx
    .updateTable('requests')
    .set({ state: 'running', updatedAt: sql`now()` })
    .where((eb) => eb.and(attemptKey(ref)))
    .where('state', 'in', ['admitted', 'running'])
    .returning(['microusdPerMinute as rate', suspendedNow.as('suspended')])
    .executeTakeFirst();
  if (!running) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
  if (running.suspended) throw new AccountSuspended();
  if (seconds <= 0) return;
  const taken = ref.slot && (await spendFromSession(trx, ref.organizationId, ref.slot, seconds));
  if (taken) await writeEntry(trx, { ...ref, kind: 'reserve', ...taken });
  else await insertReservation(trx, ref, amountOf(running.rate, seconds));
}

/** Locks the organization's row, so that two reservations cannot share what is left. */
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
    planRows[balance.plan].paysWith === 'credits'
      ? [`${dollars(amount.microUsd)} of credits`, dollars(left + amount.microUsd)]
      : [`${amount.seconds} seconds of plan minutes`, `${left + amount.seconds}`];
  throw new AllowanceExhausted(`The recording needs ${needs}, but ${has} are left.`);
}

function dollars(microUsd: number): string {
  return `${(microUsd / 1e6).toFixed(6)} USD`;
}

/**
 * Debits and completes in one transaction. Repeating it for the same attempt has no effect.
 * @returns whether it was debited before: two workers had the recording
 * @throws RequestNotRunning when the attempt failed or another attempt took over
 * @throws AccountSuspended for an item of a batch; a synchronous request is finished and charged
 */
export function settle(db: Db, ref: RequestRef, billableSeconds: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const isRepeated = await settleWithin(trx, ref, billableSeconds);
    await announceCompletion(trx, ref);
    return isRepeated;
  });
}

async function settleWithin(trx: Db, ref: RequestRef, billableSeconds: number): Promise<boolean> {
  const completed = await trx
    .updateTable('requests')
    .set({ state: 'completed', billableSeconds, updatedAt: sql`now()` })
    .where((eb) => eb.and(attemptKey(ref)))
    .where('state', 'in', ['admitted', 'running', 'completed'])
    .returning(['microusdPerMinute as rate', 'batchId', suspendedNow.as('suspended')])
    .executeTakeFirst();
  if (!completed) throw new RequestNotRunning(`request ${ref.requestId} is not running`);
  if (completed.batchId !== null && completed.suspended) throw new AccountSuspended();
  const period = await releaseReservation(trx, ref);
  if (billableSeconds === 0) return false;
  const amount = amountOf(completed.rate, billableSeconds);
  // The debit belongs to the billing period of the reservation.
  return !(await writeEntry(trx, { ...ref, kind: 'debit', ...amount, period }));
}

/** A request and its seconds, to be reserved or settled. */
export interface SettlementOf<R extends RequestRef> {
  readonly ref: R;
  readonly seconds: number;
}

/** Why the ledger rejects a request. */
type LedgerRejection = AllowanceExhausted | AccountSuspended | RequestNotRunning;

/** The outcomes of a group's requests in order; null stands for success. */
export type GroupOutcome = readonly (LedgerRejection | null)[];

/** `reserve` for many requests in one transaction; a failure of one does not stop the others. */
export function reserveAll(
  db: Db,
  group: readonly SettlementOf<RequestRef>[],
): Promise<GroupOutcome> {
  return inOneTransaction(db, group, reserveWithin);
}

/** `settle` for the items of a batch, in one transaction. */
export function settleAll(
  db: Db,
  group: readonly SettlementOf<RequestRef>[],
): Promise<GroupOutcome> {
  return inOneTransaction(db, group, settleWithin);
}

type Step = (trx: Transaction<Database>, ref: RequestRef, seconds: number) => Promise<unknown>;

/** Tries all requests in one transaction, and one by one when that fails. */
async function inOneTransaction(
  db: Db,
  group: readonly SettlementOf<RequestRef>[],
  step: Step,
): Promise<GroupOutcome> {
  try {
    await db.transaction().execute(async (trx) => {
      for (const { ref, seconds } of group) await step(trx, ref, seconds);
    });
    return group.map(() => null);
  } catch (error) {
    if (!isRejection(error)) throw error;
  }
  const outcome: (LedgerRejection | null)[] = [];
  for (const { ref, seconds } of group) {
    const rejected = await db
      .transaction()
      .execute((trx) => step(trx, ref, seconds))
      .then(() => null, rejectionOrThrow);
    outcome.push(rejected);
  }
  return outcome;
}

const rejectionTypes = [AllowanceExhausted, AccountSuspended, RequestNotRunning];

function isRejection(error: unknown): error is LedgerRejection {
  return rejectionTypes.some((kind) => error instanceof kind);
}

function rejectionOrThrow(error: unknown): LedgerRejection {
  if (isRejection(error)) return error;
  throw error;
}
