// The rows of requests, from `admitted` over `running` to `completed`, `failed` or `closed`. Every
// transition names its attempt, so that a late step of an older attempt changes nothing.
import { sql, type Updateable } from 'kysely';
import { decideClaim, type Claim, type RepeatRule } from './claim-decision.ts';
import type { Db } from './database.ts';
import { isDebited, releaseReservations } from './ledger.ts';
import type { RequestFailure } from '../models/contract/errors.ts';
import { sweptPageRows, type OlderAfter } from './pages.ts';
import { claimKey, type ClaimRef, type RequestRef } from './request-ref.ts';
import type { RequestState, RequestTable } from './tables.ts';

export interface ClaimOptions {
  readonly organizationId: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly fingerprint: string;
  readonly task: string;
  readonly model: string;
  /** Micro-dollars, fixed at admission. */
  readonly ratePerMinute: number;
  readonly uploadKey: string;
  readonly repeats?: RepeatRule;
}

/**
 * Claims a request id: one round trip when it is new, a locked decision when it is not. The ledger
 * outlives the rows: an id that was charged stays used, and any other id continues its attempts.
 */
export async function claimRequest(db: Db, options: ClaimOptions): Promise<Claim> {
  const { organizationId, requestId, repeats } = options;
  const before = sql`ledger WHERE organization_id = ${organizationId}
    AND request_id = ${requestId}`;
  const { rows } = await sql<{ attempt: number }>`
    INSERT INTO requests (organization_id, request_id, key_id, fingerprint, task, model,
      microusd_per_minute, upload_key, attempt)
    SELECT ${organizationId}, ${requestId}, ${options.keyId}, ${options.fingerprint},
      ${options.task}, ${options.model}, ${options.ratePerMinute}::int, ${options.uploadKey},
      1 + coalesce((SELECT max(attempt) FROM ${before}), 0)
    WHERE ${repeats === 'run-again'} OR NOT EXISTS (SELECT FROM ${before} AND kind = 'debit')
    ON CONFLICT DO NOTHING RETURNING attempt`.execute(db);
  const [inserted] = rows;
  if (inserted) return { kind: 'admitted', attempt: inserted.attempt };
  return claimAgain(db, options);
}

async function claimAgain(db: Db, options: ClaimOptions): Promise<Claim> {
  const { organizationId, requestId, fingerprint, uploadKey, keyId } = options;
  const claim = await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('requests')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('requestId', '=', requestId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    const decision = decideClaim(row, fingerprint, options.repeats);
    if (decision.kind !== 'admitted') return decision;
    await trx
      .updateTable('requests')
      .set({ state: 'admitted', attempt: decision.attempt, uploadKey, keyId })
      .set({ errorCode: null, errorMessage: null, errorParam: null, updatedAt: sql`now()` })
      .set({ microusdPerMinute: options.ratePerMinute })
      .where('organizationId', '=', organizationId)
      .where('requestId', '=', requestId)
      .execute();
    return decision;
  });
  if (claim) return claim;
  const isCharged =
    options.repeats !== 'run-again' && (await isDebited(db, { organizationId, requestId }));
  if (isCharged) return { kind: 'rejected', code: 'request_already_completed' };
  // The row was deleted (402) between the two statements, so the id is unused again.
  return claimRequest(db, options);
}

/**
 * Ends an attempt as failed and releases its reservation.
 * @returns false when the attempt had already ended
 */
export async function failRequest(
  db: Db,
  ref: ClaimRef,
  { code, message, param }: RequestFailure,
): Promise<boolean> {
  return endRequest(db, ref, {
    state: 'failed',
    errorCode: code,
    errorMessage: message,
    errorParam: param,
  });
}

/**
 * Ends an attempt without result or debit; its id stays used.
 * @returns false when the attempt had already ended
 */
export async function closeRequest(db: Db, ref: ClaimRef): Promise<boolean> {
  return endRequest(db, ref, { state: 'closed' });
}

/** Sets the final state of an open attempt and releases its reservation. */
async function endRequest(
  db: Db,
  ref: ClaimRef,
  values: Updateable<RequestTable>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('requests')
      .set({ ...values, updatedAt: sql`now()` })
      .where((eb) => eb.and(claimKey(ref)))
      .where('state', 'in', ['admitted', 'running'])
      .returning('attempt')
      .executeTakeFirst();
    if (!ended) return false;
    await releaseReservations(trx, ref.organizationId, [ref]);
    return true;
  });
}

/**
 * Deletes an attempt that was rejected for lack of minutes: contract.md leaves its id unused. A
 * repeat of a request that was charged leaves it completed instead.
 */
export async function unclaimRequest(db: Db, ref: ClaimRef): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const undone =
      (await restoreCharged(trx, ref)) ??
      (await trx
        .deleteFrom('requests')
        .where((eb) => eb.and(claimKey(ref)))
        .where('state', 'in', ['admitted', 'running'])
        .returning('attempt')
        .executeTakeFirst());
    if (undone) await releaseReservations(trx, ref.organizationId, [ref]);
  });
}

/**
 * Invoices find the model and task of a debit in this row. A debit of an attempt before its first
 * is that of a row which was pruned, and of which `usage_history` knows.
 */
async function restoreCharged(trx: Db, ref: ClaimRef) {
  const isCharged = sql<boolean>`EXISTS (SELECT FROM ledger
    WHERE ledger.organization_id = requests.organization_id
      AND ledger.request_id = requests.request_id
      AND kind = 'debit' AND ledger.attempt >= requests.first_attempt)`;
  return trx
    .updateTable('requests')
    .set({ state: 'completed', attempt: ref.attempt - 1, updatedAt: sql`now()` })
    .where((eb) => eb.and(claimKey(ref)))
    .where('state', 'in', ['admitted', 'running'])
    .where(isCharged)
    .returning('attempt')
    .executeTakeFirst();
}

/** A request that nothing has updated for long. */
interface StaleRequest extends ClaimRef {
  /** Of the organization and of the request: where the next page begins. */
  readonly id: string;
}

/** Admitted or running requests without a batch that were not updated for this long: a page. */
export async function staleRequests(
  db: Db,
  { olderThanSeconds, after }: OlderAfter,
): Promise<readonly StaleRequest[]> {
  // Only a request's id may have a slash.
  const [, organizationId = '', requestId = ''] = /^([^/]*)\/(.*)$/s.exec(after) ?? [];
  return db
    .selectFrom('requests')
    .select(['organizationId', 'requestId', 'attempt', 'uploadKey'])
    .select(sql<string>`organization_id || '/' || request_id`.as('id'))
    .where('state', 'in', ['admitted', 'running'])
    .where('batchId', 'is', null)
    .where('updatedAt', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .where(sql<boolean>`(organization_id, request_id) > (${organizationId}, ${requestId})`)
    .orderBy('organizationId')
    .orderBy('requestId')
    .limit(sweptPageRows)
    .execute();
}

/** Whether the organization has sent a request with that id, whatever became of it. */
export async function isKnownRequest(
  db: Db,
  { organizationId, requestId }: Omit<RequestRef, 'attempt'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('requests')
    .select('requestId')
    .where('organizationId', '=', organizationId)
    .where('requestId', '=', requestId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The state of this claim; null when the row is gone or belongs to another claim. */
export async function requestState(db: Db, ref: ClaimRef): Promise<RequestState | null> {
  const row = await db
    .selectFrom('requests')
    .select('state')
    .where((eb) => eb.and(claimKey(ref)))
    .executeTakeFirst();
  return row?.state ?? null;
}
