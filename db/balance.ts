// What an organization can still pay for: plan minutes of its period with overage, or its credits.
import { sql, type RawBuilder } from 'kysely';
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
  const { rows } = await sql<BalanceRow>`
    SELECT ${balanceColumns}
    FROM (SELECT *, id AS organization_id FROM organizations WHERE id = ${organizationId}) AS payer
    ${joinTotals(sql`payer`)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`there is no organization ${organizationId}`);
  return toBalance(row);
}

export interface BalanceRow {
  readonly plan: Plan;
  readonly period: Date;
  readonly allowanceSeconds: number;
  readonly overageSeconds: number | null;
  /** Of the totals, which begin with the first entry of a period. */
  readonly totalSeconds: number | null;
  readonly totalMicrousd: number | null;
  readonly grantedMicrousd: number | null;
}

/** Columns of a `BalanceRow`, where `joinTotals` has joined. */
export const balanceColumns = sql`plan, current.period, allowance_seconds, overage_seconds,
  totals.seconds AS total_seconds, totals.microusd AS total_microusd, totals.granted_microusd`;

/**
 * Joins an organization's billing period and its totals.
 * @param payer with the columns of `organizations`, whose id is `organization_id`
 */
export function joinTotals(payer: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    CROSS JOIN LATERAL (SELECT billing_period(plan, period_anchor) AS period) AS current
    LEFT JOIN ledger_totals AS totals
      ON totals.organization_id = ${payer}.organization_id AND totals.period = current.period`;
}

export function toBalance(row: BalanceRow): Balance {
  const { plan, period, allowanceSeconds } = row;
  const usedSeconds = row.totalSeconds ?? 0;
  return {
    plan,
    period,
    allowanceSeconds,
    usedSeconds,
    remainingSeconds: allowanceSeconds - usedSeconds,
    overageSeconds: row.overageSeconds ?? Infinity,
    creditMicroUsd: (row.grantedMicrousd ?? 0) - (row.totalMicrousd ?? 0),
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
