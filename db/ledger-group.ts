// Attempts of requests that the ledger treats together, and how statements find them.
import { sql } from 'kysely';
import type { ClaimRef } from './request-ref.ts';

/** An attempt of a request, and the seconds to reserve or to debit for it. */
export interface AttemptSeconds extends Omit<ClaimRef, 'organizationId'> {
  readonly seconds: number;
}

/** Requests of one organization that are written together, each once. */
export interface LedgerGroup {
  readonly organizationId: string;
  readonly attempts: readonly AttemptSeconds[];
}

/** The attempts as a table `entry`, for statements that join it. */
export function attemptsTable({ attempts }: LedgerGroup) {
  return sql<AttemptSeconds>`unnest(
    ${attempts.map(({ requestId }) => requestId)}::text[],
    ${attempts.map(({ attempt }) => attempt)}::int[],
    ${attempts.map(({ seconds }) => seconds)}::int[],
    ${attempts.map(({ uploadKey }) => uploadKey ?? null)}::text[])`.as<'entry'>(
    sql`entry (request_id, attempt, seconds, upload_key)`,
  );
}

/** An attempt that another claim has taken over is no attempt of this one. */
export const isOfAttempt = sql<boolean>`(requests.request_id, requests.attempt)
  = (entry.request_id, entry.attempt)
  AND requests.upload_key = coalesce(entry.upload_key, requests.upload_key)`;
