// What holds for the work of a key from now on, for a connection that outlives changes of it.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { redactionOfColumns } from './redaction-columns.ts';
import type { Plan } from '../models/contract/plans.ts';
import type { Redaction } from '../models/contract/redaction.ts';

export interface KeyTerms {
  readonly plan: Plan;
  /** What the organization removes from every transcript; null for nothing. */
  readonly redaction: Redaction | null;
  /** Terms that the organization prefers in every transcript. */
  readonly vocabulary: readonly string[];
  readonly requestsPerMinute: number;
}

/** @returns null for a key that is unknown, revoked or expired */
export async function findKeyTerms(db: Db, keyId: string): Promise<KeyTerms | null> {
  const row = await db
    .selectFrom('apiKeys')
    .innerJoin('organizations', 'organizations.id', 'apiKeys.organizationId')
    .select(['plan', 'redactKinds', 'redactNames', 'vocabulary', 'requestsPerMinute'])
    .where('apiKeys.id', '=', keyId)
    .where('revokedAt', 'is', null)
    .where(sql<boolean>`coalesce(api_keys.expires_at > now(), true)`)
    .executeTakeFirst();
  if (!row) return null;
  const { plan, vocabulary, requestsPerMinute } = row;
  return { plan, redaction: redactionOfColumns(row), vocabulary, requestsPerMinute };
}
