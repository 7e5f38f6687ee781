// What an organization can still pay for: plan minutes of its period with overage, or its credits.
import { sql } from 'kysely';
import { planRows, type Plan } from '../models/contract/plans.ts';
import type { Db } from './database.ts';

/** The organization cannot cover the audio; the caller's answer is 402 `allowance_exhausted`. */
export class AllowanceExhausted extends Error {
  override readonly name = 'AllowanceExhausted';
}

/** Derived from the totals of the ledger. */
export interface Balance {
  readonly plan: Plan;
  /** Start of the current billing period. */
  readonly period: Date;
  readonly allowanceSeconds: number;
  /** Debits and open reservations of the period. */
  readonly usedSeconds: number;
  /** Seconds left of the allowance; negative when overage was used. */
  readonly remainingSeconds: number;
  /** Seconds beyond the allowance; Infinity without a limit. */
  readonly overageSeconds: number;
  /** Grants minus debits and open reservations; relevant for the plan `credits`. */
  readonly creditMicroUsd: number;
}

export async function balanceOf(db: Db, organizationId: string): Promise<Balance> {
  const row = await db
    .selectFrom('organizations')
    .innerJoinLateral(
      sql<{ period: Date }>`(SELECT billing_period(plan, period_anchor) AS period)`.as('current'),
      (join) => join.onTrue(),
    )
    .leftJoin('ledgerTotals as totals', (join) =>
      join
        .onRef('totals.organizationId', '=', 'organizations.id')
        .onRef('totals.period', '=', 'current.period'),
    )
    .select(['plan', 'allowanceSeconds', 'overageSeconds', 'current.period'])
    .select(['totals.seconds', 'totals.microusd', 'totals.grantedMicrousd'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const usedSeconds = row.seconds ?? 0;
  return {
    plan: row.plan,
    period: row.period,
    allowanceSeconds: row.allowanceSeconds,
    usedSeconds,
    remainingSeconds: row.allowanceSeconds - usedSeconds,
    overageSeconds: row.overageSeconds ?? Infinity,
    creditMicroUsd: (row.grantedMicrousd ?? 0) - (row.microusd ?? 0),
  };
}

/** Micro-dollars of credits that are left, whatever the plan is now. */
export async function creditsOf(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('ledgerTotals')
    .select(['microusd', 'grantedMicrousd'])
    .where('organizationId', '=', organizationId)
    // The one period of the plan `credits`.
    .where('period', '=', new Date(0))
    .executeTakeFirst();
  return (row?.grantedMicrousd ?? 0) - (row?.microusd ?? 0);
}

/** What is left, in the plan's own unit; negative when the last reservation was too large. */
export function leftOf(balance: Balance): number {
  if (planRows[balance.plan].paysWith === 'credits') return balance.creditMicroUsd;
  return balance.remainingSeconds + balance.overageSeconds;
}

/** True when anything is left. This check precedes the reading of a body. */
export async function hasAllowance(db: Db, organizationId: string): Promise<boolean> {
  return leftOf(await balanceOf(db, organizationId)) > 0;
}

/**
 * Whole seconds that an organization can still pay for; Infinity without a limit.
 * @param rate micro-dollars per minute, for plans with credits
 */
export async function availableSeconds(
  db: Db,
  organizationId: string,
  rate: number,
): Promise<number> {
  return coverableSeconds(await balanceOf(db, organizationId), rate);
}

/** The same for a balance that has been read. */
export function coverableSeconds(balance: Balance, rate: number): number {
  if (planRows[balance.plan].paysWith === 'minutes') return leftOf(balance);
  return rate === 0 ? Infinity : Math.floor((balance.creditMicroUsd * 60) / rate);
}

/**
 * Locks the organization, so that two reservations cannot share the last minutes. Rows that refer
 * to it can be written meanwhile: a batch of ten thousand takes seconds.
 */
export async function lockOrganization(trx: Db, organizationId: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute();
}
