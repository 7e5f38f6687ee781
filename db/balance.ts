// What an organization can still cover: its allowance less debits and open reservations.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The organization cannot cover the audio; the caller's answer is 402 `allowance_exhausted`. */
export class AllowanceExhausted extends Error {
  override readonly name = 'AllowanceExhausted';
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
  return (await availableSeconds(db, organizationId)) > 0;
}

/** Seconds that an organization can still cover; without bound where overage is allowed. */
export async function availableSeconds(db: Db, organizationId: string): Promise<number> {
  const { remainingSeconds, overageAllowed } = await balanceOf(db, organizationId);
  return overageAllowed ? Infinity : remainingSeconds;
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
