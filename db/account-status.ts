// Whether an account is active, checked again wherever work continues after its request was
// admitted.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The organization is suspended; the caller's answer is 403 `account_suspended`. */
export class AccountSuspended extends Error {
  override readonly name = 'AccountSuspended';

  constructor() {
    super('The account is suspended; its recordings are neither analysed nor charged.');
  }
}

/** For statements on `requests`: whether the request's organization is suspended now. */
export const suspendedNow = sql<boolean>`(SELECT suspended FROM organizations
  WHERE organizations.id = requests.organization_id)`;

export async function isSuspended(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('suspended')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.suspended ?? false;
}

/** @throws AccountSuspended */
export async function requireActiveAccount(db: Db, organizationId: string): Promise<void> {
  if (await isSuspended(db, organizationId)) throw new AccountSuspended();
}

/** Why a key may not start anything. Work that an expired key has started continues. */
export type KeyEnd = 'suspended' | 'revoked' | 'expired';

/** The keys that have ended, or whose organization is suspended, each with the reason. */
export async function endedKeys(
  db: Db,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyEnd>> {
  const rows = await db
    .selectFrom('apiKeys')
    .innerJoin('organizations', 'organizations.id', 'apiKeys.organizationId')
    .select('apiKeys.id')
    .select(
      sql<KeyEnd | null>`CASE WHEN suspended THEN 'suspended' WHEN revoked_at IS NOT NULL
        THEN 'revoked' WHEN expires_at <= now() THEN 'expired' END`.as('end'),
    )
    .where('apiKeys.id', '=', sql<string>`any(${keyIds})`)
    .execute();
  return new Map(rows.flatMap(({ id, end }) => (end ? [[id, end]] : [])));
}
