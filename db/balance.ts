// What an organization can still cover: plan minutes of its period with overage, or its credits.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Plan } from './tables.ts';

/** The organization cannot cover the audio; the caller's answer is 402 `allowance_exhausted`. */
export class AllowanceExhausted extends Error {
  override readonly name = 'AllowanceExhausted';
}

/** What an organization without anything left is told: in the words of its plan. */
export function usedUp(plan: Plan): string {
  return { trial: 'The trial minutes', subscription: 'The plan minutes', credits: 'The credits' }[
    plan
  ].concat(' are used up');
}

/** Derived from the ledger's sums. */
export interface Balance {
  readonly plan: Plan;
  /** Start of the billing period that is counted. */
  readonly period: Date;
  readonly allowanceSeconds: number;
  /** Debits and open reservations of the period. */
  readonly usedSeconds: number;
  /** Seconds left of the allowance; negative where overage was used. */
  readonly remainingSeconds: number;
  /** Beyond the allowance; Infinity without bound. */
  readonly overageSeconds: number;
  /** Granted less debits and open reservations; what counts for the plan `credits`. */
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

/** What is left, in the plan's own measure; negative when the last reservation was too much. */
export function leftOf(balance: Balance): number {
  if (balance.plan === 'credits') return balance.creditMicroUsd;
  return balance.remainingSeconds + balance.overageSeconds;
}

/** True when anything is left: the check before a body is read. */
export async function hasAllowance(db: Db, organizationId: string): Promise<boolean> {
  return leftOf(await balanceOf(db, organizationId)) > 0;
}

/**
 * Whole seconds that an organization can still cover; Infinity without bound.
 * @param rate micro-dollars per minute, which credits are divided by
 */
export async function availableSeconds(
  db: Db,
  organizationId: string,
  rate: number,
): Promise<number> {
  return coverableSeconds(await balanceOf(db, organizationId), rate);
}

/** The same of a balance that was read. */
export function coverableSeconds(balance: Balance, rate: number): number {
  if (balance.plan !== 'credits') return leftOf(balance);
  return rate === 0 ? Infinity : Math.floor((balance.creditMicroUsd * 60) / rate);
}

/** Two reservations cannot share the last minutes. */
export async function lockOrganization(trx: Db, organizationId: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .execute();
}
