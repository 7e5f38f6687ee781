// Prepared sessions: minutes reserved for half a minute, and the slots that spend them.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AllowanceExhausted, balanceOf, coverableSeconds, lockOrganization } from './balance.ts';
import { planRows } from '../models/contract/plans.ts';
import type { SessionSlot } from '../models/contract/recording-request.ts';
import type { Db } from './database.ts';
import { amountOf, findReservation, writeEntry, type Reservation } from './ledger.ts';
import { closeRequest } from './requests.ts';
import { sessionLedger, sessionRef } from './session-ledger.ts';
import { hashSecret } from './secrets.ts';
import { wholeKey } from './whole-key.ts';

export interface NewSession {
  readonly organizationId: string;
  readonly keyId: string;
  /** UUID v4 that the caller chose. */
  readonly sessionId: string;
  readonly token: string;
  readonly slots: number;
  /** Reserved unless the account can pay for less. */
  readonly maxCapacitySeconds: number;
  /**
   * Micro-dollars, at the highest rate of a task, because the tasks of the recordings are not known
   * yet.
   */
  readonly ratePerMinute: number;
  readonly lifetimeSeconds: number;
}

export interface PreparedSession {
  readonly organizationId: string;
  readonly sessionId: string;
  readonly keyId: string;
  readonly slots: number;
  readonly capacitySeconds: number;
  /** By the database's clock, which decides everything about the session. */
  readonly expiresAtMs: number;
  /** Negative when the session is over. */
  readonly remainingSeconds: number;
}

/** The slot's session cannot pay for the audio; the caller's answer is 428. */
export class SessionCapacityExhausted extends Error {
  override readonly name = 'SessionCapacityExhausted';
}

/** contract.md: `rg_` and the sha256 of a constant, the session's id and the slot. */
export function slotRequestId(sessionId: string, slot: number): string {
  const text = `spectra2-slot\0${sessionId}\0${slot}`;
  return `rg_${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Creates a session and reserves its seconds.
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
    if (capacity <= 0) {
      // What is left may be reserved by the session that this very id has set up.
      if (await findReservation(trx, sessionRef(organizationId, sessionId))) return null;
      throw new AllowanceExhausted(`${planRows[balance.plan].usedUp}.`);
    }
    const inserted = await trx
      .insertInto('preparedSessions')
      .values({
        organizationId,
        sessionId,
        keyId: options.keyId,
        tokenHash: hashSecret(options.token),
        slots: options.slots,
        capacitySeconds: capacity,
        expiresAt: sql<Date>`now() + make_interval(secs => ${options.lifetimeSeconds})`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('sessionId')
      .executeTakeFirst();
    if (!inserted) return null;
    const amount = amountOf(options.ratePerMinute, capacity);
    const reserved = {
      ...sessionRef(organizationId, sessionId),
      kind: 'reserve',
      ...amount,
    } as const;
    // The row of an old session may be gone, but the ledger knows every id that was ever used.
    if (!(await writeEntry(trx, reserved))) {
      await trx
        .deleteFrom('preparedSessions')
        .where((eb) => eb.and(wholeKey({ organizationId, sessionId })))
        .execute();
      return null;
    }
    return findSession(trx, options.token);
  });
}

/** The amount that a session may reserve when a tenth of what is left is less. */
const smallSessionSeconds = 60;

/** contract.md: a tenth of what is left, so that idle sessions cannot drain an account. */
function sessionCapacity(maxSeconds: number, availableSeconds: number): number {
  const share = Math.max(smallSessionSeconds, Math.floor(availableSeconds / 10));
  return Math.min(maxSeconds, share, availableSeconds);
}

/** The session of a token; the caller has to compare organization and key. */
export async function findSession(db: Db, token: string): Promise<PreparedSession | null> {
  const session = await db
    .selectFrom('preparedSessions')
    .select(['organizationId', 'sessionId', 'keyId', 'slots', 'capacitySeconds'])
    .select(sql<number>`floor(extract(epoch FROM expires_at) * 1000)`.as('expiresAtMs'))
    .select(sql<number>`extract(epoch FROM expires_at - clock_timestamp())`.as('remainingSeconds'))
    .where('tokenHash', '=', hashSecret(token))
    .executeTakeFirst();
  return session ?? null;
}

/**
 * Moves seconds from a session's reservation to the request of a slot, within the transaction that
 * reserves them. A slot spends once; a second attempt of its request gets null.
 * @returns what was moved; null when the slot has spent before
 * @throws SessionCapacityExhausted
 */
export async function spendFromSession(
  trx: Db,
  organizationId: string,
  { sessionId, slot }: SessionSlot,
  seconds: number,
): Promise<Reservation | null> {
  await lockSession(trx, organizationId, sessionId);
  const session = sessionRef(organizationId, sessionId);
  const entry = { ...session, attempt: slot + 1 };
  const { leftSeconds, spent } = await sessionLedger(trx, organizationId, sessionId);
  if (spent.includes(entry.attempt)) return null;
  if (seconds > leftSeconds) {
    throw new SessionCapacityExhausted(
      `The session can cover ${leftSeconds} more seconds; the recording needs ${seconds}.`,
    );
  }
  const whole = (await findReservation(trx, session))!;
  // Rounded down, so that the slots together never spend more than the session has.
  const microUsd = Math.floor((whole.microUsd * seconds) / whole.seconds);
  const amount = { seconds, microUsd, period: whole.period };
  await writeEntry(trx, { ...entry, kind: 'release', ...amount });
  return amount;
}

/** Ends a session: unspent seconds are released, and streams that were never opened are closed. */
export async function closeSession(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSession(trx, organizationId, sessionId);
    const { leftSeconds, leftMicroUsd } = await sessionLedger(trx, organizationId, sessionId);
    const session = sessionRef(organizationId, sessionId);
    const period = (await findReservation(trx, session))?.period;
    if (leftSeconds > 0) {
      const rest = { seconds: leftSeconds, microUsd: leftMicroUsd, period };
      await writeEntry(trx, { ...session, kind: 'release', ...rest });
    }
    await trx
      .updateTable('preparedSessions')
      .set({ closedAt: sql<Date>`now()` })
      .where((eb) => eb.and(wholeKey({ organizationId, sessionId })))
      .execute();
  });
  const unopened = await db
    .selectFrom('streamCredentials')
    .select(['requestId', 'attempt'])
    .where((eb) => eb.and(wholeKey({ organizationId, sessionId })))
    .where('usedAt', 'is', null)
    .execute();
  for (const { requestId, attempt } of unopened) {
    await closeRequest(db, { organizationId, requestId: requestId!, attempt: attempt! });
  }
}

/** Sessions that ended this long ago and were never closed, because their workflow is gone. */
export async function orphanedSessions(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly { readonly organizationId: string; readonly sessionId: string }[]> {
  return db
    .selectFrom('preparedSessions')
    .select(['organizationId', 'sessionId'])
    .where('closedAt', 'is', null)
    .where('expiresAt', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .orderBy('expiresAt')
    .limit(500)
    .execute();
}

async function lockSession(trx: Db, organizationId: string, sessionId: string): Promise<void> {
  await trx
    .selectFrom('preparedSessions')
    .select('sessionId')
    .where((eb) => eb.and(wholeKey({ organizationId, sessionId })))
    .forUpdate()
    .execute();
}
