// Prepared sessions: minutes set aside for half a minute, and the slots that spend them.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  AllowanceExhausted,
  balanceOf,
  coverableSeconds,
  lockOrganization,
  usedUp,
} from './balance.ts';
import type { Db } from './database.ts';
import { amountOf, findReservation, writeEntry, type Reservation } from './ledger.ts';
import { closeRequest } from './requests.ts';
import { sessionLedger, sessionRef } from './session-ledger.ts';
import { hashSecret } from './secrets.ts';

export interface NewSession {
  readonly organizationId: string;
  readonly keyId: string;
  /** UUID v4 that the caller chose. */
  readonly sessionId: string;
  readonly token: string;
  readonly slots: number;
  /** Set aside, unless the account can cover less. */
  readonly maxCapacitySeconds: number;
  /** Micro-dollars; of the dearest task, as the recordings' own are not known yet. */
  readonly ratePerMinute: number;
  readonly lifeSeconds: number;
}

export interface PreparedSession {
  readonly organizationId: string;
  readonly sessionId: string;
  readonly keyId: string;
  readonly slots: number;
  readonly capacitySeconds: number;
  /** By the database's clock, as every decision about it. */
  readonly expiresAtMs: number;
  /** Negative when it is over. */
  readonly remainingSeconds: number;
}

/** A slot of a session, as a request carries it to its reservation. */
export interface SessionSlot {
  readonly sessionId: string;
  readonly slot: number;
}

/** The slot's session cannot cover the audio; the caller's answer is 428. */
export class SessionCapacityExhausted extends Error {
  override readonly name = 'SessionCapacityExhausted';
}

/** contract.md: `rg_` and the sha256 of a constant, the session's id and the slot. */
export function slotRequestId(sessionId: string, slot: number): string {
  const text = `spectra2-slot\0${sessionId}\0${slot}`;
  return `rg_${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Makes a session and reserves its seconds.
 * @returns null when the id was used before
 * @throws AllowanceExhausted when nothing is left
 */
export async function createSession(db: Db, options: NewSession): Promise<PreparedSession | null> {
  const { organizationId, sessionId } = options;
  return db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const balance = await balanceOf(trx, organizationId);
    const available = coverableSeconds(balance, options.ratePerMinute);
    const capacity = sessionCapacity(options.maxCapacitySeconds, available);
    if (capacity <= 0) throw new AllowanceExhausted(`${usedUp(balance.plan)}.`);
    const inserted = await trx
      .insertInto('prepared_sessions')
      .values({
        ...sessionKey(organizationId, sessionId),
        key_id: options.keyId,
        token_hash: hashSecret(options.token),
        slots: options.slots,
        capacity_seconds: capacity,
        expires_at: sql<Date>`now() + make_interval(secs => ${options.lifeSeconds})`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('session_id')
      .executeTakeFirst();
    if (!inserted) return null;
    const amount = amountOf(options.ratePerMinute, capacity);
    const reserved = {
      ...sessionRef(organizationId, sessionId),
      kind: 'reserve',
      ...amount,
    } as const;
    // The row may be old enough to be gone; the ledger knows every id that was ever used.
    if (!(await writeEntry(trx, reserved))) {
      await trx
        .deleteFrom('prepared_sessions')
        .where((eb) => eb.and(sessionKey(organizationId, sessionId)))
        .execute();
      return null;
    }
    return findSession(trx, options.token);
  });
}

/** So much a session may set aside where a tenth of what is left is less. */
const smallSessionSeconds = 60;

/** contract.md: a tenth of what is left, so that idle sessions do not empty an account. */
function sessionCapacity(maxSeconds: number, availableSeconds: number): number {
  const share = Math.max(smallSessionSeconds, Math.floor(availableSeconds / 10));
  return Math.min(maxSeconds, share, availableSeconds);
}

/** The session of a token, whoever asks: the caller compares organization and key. */
export async function findSession(db: Db, token: string): Promise<PreparedSession | null> {
  const row = await db
    .selectFrom('prepared_sessions')
    .select(['organization_id', 'session_id', 'key_id', 'slots', 'capacity_seconds'])
    .select(sql<string>`floor(extract(epoch FROM expires_at) * 1000)`.as('expires_at_ms'))
    .select(sql<string>`extract(epoch FROM expires_at - clock_timestamp())`.as('remaining'))
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  return row
    ? {
        organizationId: row.organization_id,
        sessionId: row.session_id,
        keyId: row.key_id,
        slots: row.slots,
        capacitySeconds: row.capacity_seconds,
        expiresAtMs: Number(row.expires_at_ms),
        remainingSeconds: Number(row.remaining),
      }
    : null;
}

/**
 * Takes seconds out of a session's reservation, within the transaction that reserves them for the
 * slot's request. A slot takes once: a second attempt of its request finds them gone.
 * @returns what was taken; null when the slot has taken before
 * @throws SessionCapacityExhausted
 */
export async function takeFromSession(
  trx: Db,
  organizationId: string,
  { sessionId, slot }: SessionSlot,
  seconds: number,
): Promise<Reservation | null> {
  await lockSession(trx, organizationId, sessionId);
  const session = sessionRef(organizationId, sessionId);
  const entry = { ...session, attempt: slot + 1 };
  const { left, taken } = await sessionLedger(trx, organizationId, sessionId);
  if (taken.includes(entry.attempt)) return null;
  if (seconds > left) {
    throw new SessionCapacityExhausted(
      `The session can cover ${left} more seconds; the recording needs ${seconds}.`,
    );
  }
  const whole = (await findReservation(trx, session))!;
  // Rounded down: the slots together never take more than the session has.
  const microUsd = Math.floor((whole.microUsd * seconds) / whole.seconds);
  const amount = { seconds, microUsd, period: whole.period };
  await writeEntry(trx, { ...entry, kind: 'release', ...amount });
  return amount;
}

/** Ends a session: what it did not spend goes back, streams that were never opened are closed. */
export async function closeSession(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSession(trx, organizationId, sessionId);
    const { left, leftMicroUsd } = await sessionLedger(trx, organizationId, sessionId);
    const session = sessionRef(organizationId, sessionId);
    const period = (await findReservation(trx, session))?.period;
    if (left > 0) {
      const rest = { seconds: left, microUsd: leftMicroUsd, period };
      await writeEntry(trx, { ...session, kind: 'release', ...rest });
    }
    await trx
      .updateTable('prepared_sessions')
      .set({ closed_at: sql<Date>`now()` })
      .where((eb) => eb.and(sessionKey(organizationId, sessionId)))
      .execute();
  });
  const unopened = await db
    .selectFrom('stream_credentials')
    .select(['request_id', 'attempt'])
    .where((eb) => eb.and(sessionKey(organizationId, sessionId)))
    .where('used_at', 'is', null)
    .execute();
  for (const { request_id: requestId, attempt } of unopened) {
    await closeRequest(db, { organizationId, requestId: requestId!, attempt: attempt! });
  }
}

/** Sessions that ended so long ago and were never closed: their workflow is gone. */
export async function forgottenSessions(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly { readonly organizationId: string; readonly sessionId: string }[]> {
  const rows = await db
    .selectFrom('prepared_sessions')
    .select(['organization_id', 'session_id'])
    .where('closed_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .orderBy('expires_at')
    .limit(500)
    .execute();
  return rows.map((row) => ({ organizationId: row.organization_id, sessionId: row.session_id }));
}

async function lockSession(trx: Db, organizationId: string, sessionId: string): Promise<void> {
  await trx
    .selectFrom('prepared_sessions')
    .select('session_id')
    .where((eb) => eb.and(sessionKey(organizationId, sessionId)))
    .forUpdate()
    .execute();
}

function sessionKey(organizationId: string, sessionId: string) {
  return { organization_id: organizationId, session_id: sessionId };
}
