// Credentials that open one stream: tickets of prepared sessions, and client tokens.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { redactionOfColumns } from './redaction-columns.ts';
import { hashSecret } from './secrets.ts';
import type { Plan } from '../models/contract/plans.ts';
import type { Redaction } from '../models/contract/redaction.ts';
import type { SpectraTask } from '../models/contract/tasks.ts';
import type { StreamCredentialKind } from './tables.ts';

/** What a ticket fixes in advance. */
export interface TicketRequest {
  readonly sessionId: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly task: SpectraTask;
  readonly coveredSeconds: number;
}

export interface NewCredential {
  readonly kind: StreamCredentialKind;
  readonly secret: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** A ticket expires with its session, a client token after its own lifetime. */
  readonly opens: TicketRequest | { readonly lifetimeSeconds: number };
}

export async function createCredential(db: Db, options: NewCredential): Promise<void> {
  const { organizationId, opens } = options;
  const request = 'sessionId' in opens ? opens : null;
  await db
    .insertInto('streamCredentials')
    .values({
      hash: hashSecret(options.secret),
      kind: options.kind,
      organizationId,
      keyId: options.keyId,
      sessionId: request?.sessionId ?? null,
      requestId: request?.requestId ?? null,
      attempt: request?.attempt ?? null,
      task: request?.task ?? null,
      coveredSeconds: request?.coveredSeconds ?? null,
      expiresAt:
        'sessionId' in opens
          ? sql<Date>`(SELECT expires_at FROM prepared_sessions
              WHERE organization_id = ${organizationId} AND session_id = ${opens.sessionId})`
          : sql<Date>`now() + make_interval(secs => ${opens.lifetimeSeconds})`,
    })
    .execute();
}

export interface StreamCredential {
  readonly organizationId: string;
  readonly keyId: string;
  readonly suspended: boolean;
  /** Limit of the key that created it. */
  readonly maxConcurrent: number;
  readonly plan: Plan;
  /** What is removed from each transcript of the organization; null for nothing. */
  readonly redaction: Redaction | null;
  /** Terms that recognition prefers in each recording of the organization. */
  readonly vocabulary: readonly string[];
  readonly expiresAtMs: number;
  readonly remainingSeconds: number;
  /** null for a client token. */
  readonly request: TicketRequest | null;
}

/**
 * What a credential would open, without using it up.
 * @returns null when it is unknown, used or expired, or when its key was revoked
 */
export async function findCredential(
  db: Db,
  kind: StreamCredentialKind,
  secret: string,
): Promise<StreamCredential | null> {
  const row = await db
    .selectFrom('streamCredentials as credential')
    .innerJoin('apiKeys', 'apiKeys.id', 'credential.keyId')
    .innerJoin('organizations', 'organizations.id', 'apiKeys.organizationId')
    .where('credential.hash', '=', hashSecret(secret))
    .where('credential.kind', '=', kind)
    .where('credential.usedAt', 'is', null)
    .where(isAlive('credential.expiresAt'))
    .where('apiKeys.revokedAt', 'is', null)
    .where(sql<boolean>`coalesce(api_keys.expires_at > now(), true)`)
    .select([
      'credential.organizationId',
      'credential.keyId',
      'credential.sessionId',
      'credential.requestId',
      'credential.attempt',
      'credential.task',
      'credential.coveredSeconds',
      'organizations.suspended',
      'apiKeys.maxConcurrent',
      'organizations.plan',
      'organizations.redactKinds',
      'organizations.redactNames',
      'organizations.vocabulary',
    ])
    .select(sql<number>`floor(extract(epoch FROM credential.expires_at) * 1000)`.as('expiresAtMs'))
    .select(sql<number>`extract(epoch FROM credential.expires_at - now())`.as('remainingSeconds'))
    .executeTakeFirst();
  if (!row) return null;
  const { sessionId, requestId, attempt, task, coveredSeconds, ...columns } = row;
  const { redactKinds, redactNames, ...rest } = columns;
  const credential = { ...rest, redaction: redactionOfColumns({ redactKinds, redactNames }) };
  if (requestId === null) return { ...credential, request: null };
  // The columns of a ticket are written together.
  const ticket = { sessionId, requestId, attempt, task, coveredSeconds } as TicketRequest;
  return { ...credential, request: ticket };
}

/**
 * The longest lifetime of any credential and one second; a longer remainder means that the clock
 * was set back.
 */
const maxLifetimeSeconds = 61;

function isAlive(column: string) {
  const expiresAt = sql.ref(column);
  return sql<boolean>`${expiresAt} > now()
    AND ${expiresAt} <= now() + make_interval(secs => ${maxLifetimeSeconds})`;
}

/** Uses a credential up in one statement, so of two concurrent uses only one succeeds. */
export async function useCredential(db: Db, secret: string): Promise<boolean> {
  const used = await db
    .updateTable('streamCredentials')
    .set({ usedAt: sql<Date>`now()` })
    .where('hash', '=', hashSecret(secret))
    .where('usedAt', 'is', null)
    .where(isAlive('expiresAt'))
    .returning('hash')
    .executeTakeFirst();
  return used !== undefined;
}
