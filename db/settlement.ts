// Plan minutes and credits: reserved before inference, debited with completion, never below zero.
import { sql, type RawBuilder } from 'kysely';
import { AllowanceExhausted, balanceOf, leftOf } from './balance.ts';
import { completionNotice } from './completions.ts';
import { planRows } from '../models/contract/plans.ts';
import type { Db } from './database.ts';
import {
  amountOf,
  isDebited,
  releaseReservations,
  writeEntries,
  writeEntry,
  type Amount,
} from './ledger.ts';
import {
  attemptsTable,
  isOfAttempt,
  type AttemptSeconds,
  type LedgerGroup,
} from './ledger-group.ts';
import { lockRequests } from './lock-requests.ts';
import type { ClaimRef, RequestRef } from './request-ref.ts';
import { reserveAttempt } from './reserve-attempt.ts';
import { settleAttempts, type SettledAttempt } from './settle-attempts.ts';
import { spendFromSession } from './sessions.ts';
import type { SessionSlot } from '../models/contract/recording-request.ts';
import { AccountSuspended, suspendedNow } from './account-status.ts';

/** The attempt is not running any more: it has ended, or another one or claim took over. */
export class RequestNotRunning extends Error {
  override readonly name = 'RequestNotRunning';
}

type ReservingRef = ClaimRef & { readonly slot?: SessionSlot | undefined };

/**
 * Marks the attempt as running and reserves its seconds, from the session's reservation when the
 * request is a slot of one; an attempt of what was charged before holds nothing. It may be
 * repeated.
 * @throws AllowanceExhausted, SessionCapacityExhausted, AccountSuspended, RequestNotRunning
 */
export async function reserve(db: Db, ref: ReservingRef, seconds: number): Promise<void> {
  const { organizationId, slot } = ref;
  if (!slot && ref.attempt === 1 && (await reserveAttempt(db, ref, seconds))) return;
  const group = { organizationId, attempts: [{ ...ref, seconds }] };
  await db.transaction().execute(async (trx) => {
    const costs = await startGroup(trx, group);
    const taken =
      slot && seconds > 0 && (await spendFromSession(trx, organizationId, slot, seconds));
    if (taken) await writeEntry(trx, { ...ref, kind: 'reserve', ...taken });
    else if (ref.attempt > 1 && (await isDebited(trx, ref))) await numberAttempt(trx, ref, costs);
    else await insertReservations(trx, organizationId, costs);
  });
}

/**
 * Writes a reservation with its release: nothing is held of what is paid for, and the next attempt
 * still gets the next number when the row is pruned.
 */
async function numberAttempt(
  trx: Db,
  { organizationId }: RequestRef,
  costs: readonly AttemptCost[],
): Promise<void> {
  await writeEntries(trx, { organizationId, kind: 'reserve' }, costs);
  await releaseReservations(trx, organizationId, costs);
}

async function reserveWithin(trx: Db, group: LedgerGroup): Promise<void> {
  const costs = await startGroup(trx, group);
  await insertReservations(trx, group.organizationId, costs);
}

type AttemptCost = AttemptSeconds & Amount;

/** @returns what is to be reserved @throws AccountSuspended, RequestNotRunning */
async function startGroup(trx: Db, group: LedgerGroup): Promise<readonly AttemptCost[]> {
  await lockRequests(trx, group);
  const running = await trx
    .updateTable('requests')
    .from(attemptsTable(group))
    .set({ state: 'running', updatedAt: sql`now()` })
    .where('requests.organizationId', '=', group.organizationId)
    .where(isOfAttempt)
    .where('state', 'in', ['admitted', 'running'])
    .returning(returnedTerms)
    .execute();
  const costs = costsOf(group, running);
  if (running.some(({ suspended }) => suspended)) throw new AccountSuspended();
  return costs;
}

const returnedTerms = [
  'requests.requestId',
  'requests.microusdPerMinute as rate',
  suspendedNow.as('suspended'),
] as const;

/** @throws RequestNotRunning when one of the group was not found as it should be */
function costsOf(
  { attempts }: LedgerGroup,
  found: readonly { readonly requestId: string; readonly rate: number }[],
): readonly AttemptCost[] {
  const rates = new Map(found.map(({ requestId, rate }) => [requestId, rate]));
  const costs = attempts.map((each) => {
    const rate = rates.get(each.requestId);
    if (rate === undefined) throw new RequestNotRunning(`request ${each.requestId} is not running`);
    return { ...each, ...amountOf(rate, each.seconds) };
  });
  return costs.filter(({ seconds }) => seconds > 0);
}

async function insertReservations(
  trx: Db,
  organizationId: string,
  costs: readonly AttemptCost[],
): Promise<void> {
  if (costs.length === 0) return;
  const rows = { organizationId, kind: 'reserve', locks: true } as const;
  const written = await writeEntries(trx, rows, costs);
  if (written.size === 0) return;
  const balance = await balanceOf(trx, organizationId);
  const left = leftOf(balance);
  if (left >= 0) return;
  // Read of one alone only: each of a group that is rejected is tried again.
  const [{ seconds, microUsd }] = costs as readonly [AttemptCost];
  const [needs, has] =
    planRows[balance.plan].paysWith === 'credits'
      ? [`${dollars(microUsd)} of credits`, dollars(left + microUsd)]
      : [`${seconds} seconds of plan minutes`, `${left + seconds}`];
  throw new AllowanceExhausted(`The recording needs ${needs}, but ${has} are left.`);
}

function dollars(microUsd: number): string {
  return `${(microUsd / 1e6).toFixed(6)} USD`;
}

/**
 * Debits and completes. Repeating it for the same attempt has no effect.
 * @returns whether it was debited before: two workers had the recording
 * @throws RequestNotRunning when the attempt failed or another attempt or claim took over
 * @throws AccountSuspended for an item of a batch; a synchronous request is finished and charged
 */
export async function settle(db: Db, ref: ClaimRef, billableSeconds: number): Promise<boolean> {
  const { organizationId } = ref;
  const group = { organizationId, attempts: [{ ...ref, seconds: billableSeconds }] };
  const [settled] = await settleGroup(db, group, completionNotice(ref));
  return billableSeconds > 0 && !settled!.debited;
}

async function settleGroup(
  db: Db,
  group: LedgerGroup,
  announcement: RawBuilder<unknown> = sql`NULL`,
): Promise<readonly SettledAttempt[]> {
  const settled = await settleAttempts(db, group, announcement);
  const found = new Set(settled.map(({ requestId }) => requestId));
  const missing = group.attempts.find(({ requestId }) => !found.has(requestId));
  if (missing) throw new RequestNotRunning(`request ${missing.requestId} is not running`);
  if (settled.some(({ suspended }) => suspended)) throw new AccountSuspended();
  return settled;
}

/** Why the ledger rejects a request. */
type LedgerRejection = AllowanceExhausted | AccountSuspended | RequestNotRunning;

/** The outcomes of a group's requests in order; null stands for success. */
export type GroupOutcome = readonly (LedgerRejection | null)[];

/** `reserve` for many requests in one transaction; a failure of one does not stop the others. */
export function reserveAll(db: Db, group: LedgerGroup): Promise<GroupOutcome> {
  return together(group, (part) => {
    return db.transaction().execute((trx) => reserveWithin(trx, part));
  });
}

/** `settle` for the items of a batch, in one statement. */
export function settleAll(db: Db, group: LedgerGroup): Promise<GroupOutcome> {
  return together(group, (part) => settleGroup(db, part));
}

/** Tries all requests at once, and one by one when that fails. @param step all or nothing */
async function together(
  group: LedgerGroup,
  step: (part: LedgerGroup) => Promise<unknown>,
): Promise<GroupOutcome> {
  const { attempts } = group;
  try {
    await step(group);
    return attempts.map(() => null);
  } catch (error) {
    if (!isRejection(error)) throw error;
  }
  const outcome: (LedgerRejection | null)[] = [];
  for (const attempt of attempts) {
    outcome.push(await step({ ...group, attempts: [attempt] }).then(() => null, rejectionOrThrow));
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
