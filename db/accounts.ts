// Organizations and their API keys: made once, looked up by public prefix, compared in constant
// time.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { hashSecret, newSecret } from './secrets.ts';
import type { Plan } from './tables.ts';

/** Who calls, as far as a request needs to know. */
export interface Account {
  readonly organizationId: string;
  readonly keyId: string;
  readonly plan: Plan;
  readonly suspended: boolean;
}

export interface NewOrganization {
  readonly name: string;
  readonly plan: Plan;
  readonly allowanceSeconds: number;
  readonly overageAllowed?: boolean;
}

/** @returns the new organization's id */
export async function createOrganization(db: Db, options: NewOrganization): Promise<string> {
  const id = `org_${randomBytes(12).toString('hex')}`;
  await db
    .insertInto('organizations')
    .values({
      id,
      name: options.name,
      plan: options.plan,
      allowance_seconds: options.allowanceSeconds,
      overage_allowed: options.overageAllowed ?? false,
    })
    .execute();
  return id;
}

export interface NewKey {
  readonly organizationId: string;
  readonly mode: 'live' | 'test';
  readonly expiresAt?: Date;
}

/** Makes a key of 256 secret bits. The whole key is returned here and never again. */
export async function createKey(
  db: Db,
  { organizationId, mode, expiresAt }: NewKey,
): Promise<{ keyId: string; key: string }> {
  const keyId = `key_${randomBytes(12).toString('hex')}`;
  const prefix = `svc_${mode}_${randomBytes(8).toString('hex')}`;
  const secret = newSecret(32);
  await db
    .insertInto('api_keys')
    .values({
      id: keyId,
      organization_id: organizationId,
      prefix,
      secret_hash: hashSecret(secret),
      expires_at: expiresAt ?? null,
    })
    .execute();
  return { keyId, key: `${prefix}_${secret}` };
}

const keyPattern = /^(svc_(?:live|test)_[0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** The account of a key, or null when it is malformed, unknown, revoked or expired. */
export async function findAccountByKey(db: Db, key: string): Promise<Account | null> {
  const [, prefix, secret] = keyPattern.exec(key) ?? [];
  if (!prefix || !secret) return null;
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(['api_keys.id as keyId', 'organizations.id as organizationId'])
    .select(['secret_hash', 'revoked_at', 'plan', 'suspended'])
    // By the database's clock: those of the API's machines may jump.
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('expired'))
    .where('prefix', '=', prefix)
    .executeTakeFirst();
  // An unknown prefix is compared too, so that it takes as long as a wrong secret.
  const matches = timingSafeEqual(hashSecret(secret), row?.secret_hash ?? Buffer.alloc(32));
  if (!row || !matches || row.revoked_at) return null;
  if (row.expired) return null;
  const { organizationId, keyId, plan, suspended } = row;
  return { organizationId, keyId, plan, suspended };
}
