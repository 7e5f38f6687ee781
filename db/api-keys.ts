// API keys: created, rotated, revoked, listed.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';
import { hashSecret, newId, newSecret } from './secrets.ts';
import { planRows, type KeyLimits } from '../models/contract/plans.ts';

export interface NewKey {
  readonly organizationId: string;
  readonly mode: 'live' | 'test';
  readonly actor: string;
  readonly name?: string;
  readonly expiresAt?: Date;
  /** Defaults to the limits of the plan. */
  readonly limits?: Partial<KeyLimits>;
}

export interface IssuedKey {
  readonly keyId: string;
  /** The whole key, which is shown here and never again. */
  readonly key: string;
}

/** The organization or key that an operator names does not exist. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** The key was rotated before: one more successor would be one more key that is valid. */
class HasSuccessor extends Error {
  override readonly name = 'HasSuccessor';

  constructor({ id, expiresAt }: { readonly id: string; readonly expiresAt: Date | null }) {
    const end = expiresAt?.toISOString() ?? 'never';
    super(
      `${id} was rotated already and ends at ${end}; its successor is in the list of keys. ` +
        'Where that is lost, revoke it and rotate with --again',
    );
  }
}

export function unknownOrganization(organizationId: string): NotFound {
  return new NotFound(`there is no organization ${organizationId}`);
}

/** Creates a key with 256 secret bits. */
export function createKey(db: Db, options: NewKey): Promise<IssuedKey> {
  return db.transaction().execute(async (trx) => {
    const { organizationId, actor, mode, name = '' } = options;
    const limits = { ...(await limitsOfPlan(trx, organizationId)), ...options.limits };
    const issued = await insertKey(trx, { ...options, limits });
    const details = { key: issued.keyId, mode, name };
    await writeAudit(trx, { organizationId, actor, action: 'key.create', details });
    return issued;
  });
}

async function limitsOfPlan(trx: Db, organizationId: string): Promise<KeyLimits> {
  const row = await trx
    .selectFrom('organizations')
    .select(['plan', 'erasedAt'])
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!row) throw unknownOrganization(organizationId);
  // The sweeper would revoke it.
  if (row.erasedAt) throw new NotFound(`${organizationId} is erased; resume it first`);
  return planRows[row.plan].key;
}

async function insertKey(
  trx: Db,
  { organizationId, mode, name, expiresAt, limits }: NewKey & { readonly limits: KeyLimits },
): Promise<IssuedKey> {
  const keyId = newId('key_');
  const prefix = `svc_${mode}_${randomBytes(8).toString('hex')}`;
  const secret = newSecret(32);
  await trx
    .insertInto('apiKeys')
    .values({
      id: keyId,
      organizationId,
      prefix,
      secretHash: hashSecret(secret),
      name: name ?? '',
      expiresAt: expiresAt ?? null,
      ...limits,
    })
    .execute();
  return { keyId, key: `${prefix}_${secret}` };
}

interface Rotation {
  readonly graceSeconds: number;
  readonly actor: string;
  /** Whether a key that has a successor gets another one. */
  readonly again?: boolean;
}

/** The requested end of a key, which a rotation may have brought forward. */
const requestedEnd = sql<Date>`coalesce(asked_expires_at, expires_at, 'infinity')`;

/**
 * Creates the key's successor with its name, limits and end; the old key works for the grace time
 * on.
 * @throws NotFound when there is no such key, or it is revoked or expired
 * @throws HasSuccessor
 */
export function rotateKey(
  db: Db,
  keyId: string,
  { graceSeconds, actor, again = false }: Rotation,
): Promise<IssuedKey> {
  return db.transaction().execute(async (trx) => {
    const end = sql<Date>`now() + make_interval(secs => ${graceSeconds})`;
    const old = await trx
      .selectFrom('apiKeys')
      .selectAll()
      .select(sql<Date | null>`nullif(${requestedEnd}, 'infinity')`.as('requestedEnd'))
      .where('id', '=', keyId)
      .where('revokedAt', 'is', null)
      .where(sql<boolean>`coalesce(expires_at > now(), true)`)
      .forUpdate()
      .executeTakeFirst();
    if (!old) throw new NotFound(`there is no valid key ${keyId}`);
    if (old.askedExpiresAt && !again) throw new HasSuccessor(old);
    await trx
      .updateTable('apiKeys')
      .set({ expiresAt: sql<Date>`least(expires_at, ${end})`, askedExpiresAt: requestedEnd })
      .where('id', '=', keyId)
      .execute();
    const { organizationId, requestsPerMinute, maxConcurrent } = old;
    const issued = await insertKey(trx, {
      organizationId,
      actor,
      mode: old.prefix.startsWith('svc_live') ? 'live' : 'test',
      name: old.name,
      ...(old.requestedEnd && { expiresAt: old.requestedEnd }),
      limits: { requestsPerMinute, maxConcurrent },
    });
    const details = { key: keyId, successor: issued.keyId, graceSeconds };
    await writeAudit(trx, { organizationId, actor, action: 'key.rotate', details });
    return issued;
  });
}

/** Revokes the key at once. @throws NotFound */
export function revokeKey(db: Db, keyId: string, actor: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const key = await trx
      .updateTable('apiKeys')
      .set({ revokedAt: sql<Date>`coalesce(revoked_at, now())` })
      .where('id', '=', keyId)
      .returning('organizationId')
      .executeTakeFirst();
    if (!key) throw new NotFound(`there is no key ${keyId}`);
    const { organizationId } = key;
    await writeAudit(trx, { organizationId, actor, action: 'key.revoke', details: { key: keyId } });
  });
}

/** Changes the limits of a key. @throws NotFound */
export function limitKey(
  db: Db,
  keyId: string,
  { limits, actor }: { readonly limits: Partial<KeyLimits>; readonly actor: string },
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const key = await trx
      .updateTable('apiKeys')
      .set(limits)
      .where('id', '=', keyId)
      .returning('organizationId')
      .executeTakeFirst();
    if (!key) throw new NotFound(`there is no key ${keyId}`);
    const details = { key: keyId, ...limits };
    const action = 'key.limit';
    await writeAudit(trx, { ...key, actor, action, details });
  });
}

/** A key as an operator sees it, without its secret. */
export interface KeyDescription extends KeyLimits {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export async function listKeys(db: Db, organizationId: string): Promise<readonly KeyDescription[]> {
  return db
    .selectFrom('apiKeys')
    .select(['id as keyId', 'name', 'prefix', 'requestsPerMinute', 'maxConcurrent'])
    .select(['createdAt', 'expiresAt', 'revokedAt'])
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .execute();
}
