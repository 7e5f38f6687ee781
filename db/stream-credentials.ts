// Credentials that open one stream: tickets of prepared sessions, and client tokens.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { hashSecret } from './secrets.ts';
import type { Plan, StreamCredentialKind } from './tables.ts';

/** What a ticket fixes beforehand. */
export interface TicketRequest {
  readonly sessionId: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly task: string;
  readonly coveredSeconds: number;
}

export interface NewCredential {
  readonly kind: StreamCredentialKind;
  readonly secret: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** A ticket lives as long as its session, a client token so many seconds. */
  readonly opens: TicketRequest | { readonly lifeSeconds: number };
}

export async function createCredential(db: Db, options: NewCredential): Promise<void> {
  const { organizationId, opens } = options;
  const request = 'sessionId' in opens ? opens : null;
  await db
    .insertInto('stream_credentials')
    .values({
      hash: hashSecret(options.secret),
      kind: options.kind,
      organization_id: organizationId,
      key_id: options.keyId,
      session_id: request?.sessionId ?? null,
      request_id: request?.requestId ?? null,
      attempt: request?.attempt ?? null,
      task: request?.task ?? null,
      covered_seconds: request?.coveredSeconds ?? null,
      expires_at:
        'sessionId' in opens
          ? sql<Date>`(SELECT expires_at FROM prepared_sessions
              WHERE organization_id = ${organizationId} AND session_id = ${opens.sessionId})`
          : sql<Date>`now() + make_interval(secs => ${opens.lifeSeconds})`,
    })
    .execute();
}

export interface StreamCredential {
  readonly organizationId: string;
  readonly keyId: string;
  readonly suspended: boolean;
  /** Of the key that made it. */
  readonly maxConcurrent: number;
  readonly plan: Plan;
  readonly expiresAtMs: number;
  readonly remainingSeconds: number;
  /** null for a client token. */
  readonly request: TicketRequest | null;
}

/**
 * What a credential would open, without using it up.
 * @returns null when it is unknown, used, expired, or its key was revoked
 */
export async function findCredential(
  db: Db,
  kind: StreamCredentialKind,
  secret: string,
): Promise<StreamCredential | null> {
  const row = await db
    .selectFrom('stream_credentials as credential')
    .innerJoin('api_keys', 'api_keys.id', 'credential.key_id')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .where('credential.hash', '=', hashSecret(secret))
    .where('credential.kind', '=', kind)
    .where('credential.used_at', 'is', null)
    .where(isAlive('credential.expires_at'))
    .where('api_keys.revoked_at', 'is', null)
    .where(sql<boolean>`coalesce(api_keys.expires_at > now(), true)`)
    .select([
      'credential.organization_id',
      'credential.key_id',
      'credential.session_id',
      'credential.request_id',
      'credential.attempt',
      'credential.task',
      'credential.covered_seconds',
      'organizations.suspended',
      'api_keys.max_concurrent',
      'organizations.plan',
    ])
    .select(sql<string>`floor(extract(epoch FROM credential.expires_at) * 1000)`.as('at_ms'))
    .select(sql<string>`extract(epoch FROM credential.expires_at - now())`.as('remaining'))
    .executeTakeFirst();
  if (!row) return null;
  return {
    organizationId: row.organization_id,
    keyId: row.key_id,
    suspended: row.suspended,
    maxConcurrent: row.max_concurrent,
    plan: row.plan,
    expiresAtMs: Number(row.at_ms),
    remainingSeconds: Number(row.remaining),
    request:
      row.request_id === null
        ? null
        : {
            sessionId: row.session_id!,
            requestId: row.request_id,
            attempt: row.attempt!,
            task: row.task!,
            coveredSeconds: row.covered_seconds!,
          },
  };
}

/** The longest life of any and a second: more left comes of a clock that was set back. */
const maxLifeSeconds = 61;

function isAlive(column: string) {
  const expiresAt = sql.ref(column);
  return sql<boolean>`${expiresAt} > now()
    AND ${expiresAt} <= now() + make_interval(secs => ${maxLifeSeconds})`;
}

/** Uses a credential up, in one statement: of two who try, one is told true. */
export async function useCredential(db: Db, secret: string): Promise<boolean> {
  const used = await db
    .updateTable('stream_credentials')
    .set({ used_at: sql<Date>`now()` })
    .where('hash', '=', hashSecret(secret))
    .where('used_at', 'is', null)
    .where(isAlive('expires_at'))
    .returning('hash')
    .executeTakeFirst();
  return used !== undefined;
}
