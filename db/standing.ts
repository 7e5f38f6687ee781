// Whether an account still stands: asked again wherever work goes on after its request was let in.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The organization is suspended; the caller's answer is 403 `account_suspended`. */
export class AccountSuspended extends Error {
  override readonly name = 'AccountSuspended';

  constructor() {
    super('The account is suspended; nothing more of it is analysed or charged.');
  }
}

/** In statements on `requests`: whether the request's organization is suspended at this moment. */
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
export async function requireStanding(db: Db, organizationId: string): Promise<void> {
  if (await isSuspended(db, organizationId)) throw new AccountSuspended();
}

/** False from the moment in which a key is revoked or ends, or its organization is suspended. */
export async function keyStands(db: Db, keyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select('suspended')
    .where('api_keys.id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .executeTakeFirst();
  return row ? !row.suspended : false;
}
