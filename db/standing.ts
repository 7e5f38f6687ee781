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

/** Those of the keys that have not been revoked or ended, of organizations not suspended. */
export async function standingKeys(
  db: Db,
  keyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select('api_keys.id')
    .where('api_keys.id', '=', sql<string>`any(${keyIds})`)
    .where('suspended', '=', false)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
