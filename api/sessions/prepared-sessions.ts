// Prepared sessions of Spectra-2: created ahead of a recording, spent slot by slot.
import type { Account } from '../../db/accounts.ts';
import type { Db } from '../../db/database.ts';
import { isKnownRequest } from '../../db/requests.ts';
import { newSecret } from '../../db/secrets.ts';
import {
  createSession,
  findSession,
  slotRequestId,
  type PreparedSession,
} from '../../db/sessions.ts';
import { spectraModel } from '../../models/contract/served-models.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { highestRate } from '../../models/contract/charge-rate.ts';
import type { SessionSlot } from '../../models/contract/recording-request.ts';
import { reservationError } from '../runs/reservation-error.ts';
import type { SessionWorkflows } from './session-workflows.ts';

export interface SessionsOptions {
  readonly db: Db;
  readonly workflows: SessionWorkflows;
  /** Concurrent set-ups; beyond them the answer is 429 `session_busy`. */
  readonly setUps: FairGate;
  readonly enabled: boolean;
}

export interface PreparedSessions {
  /**
   * Two spellings of an id are one session, whose request ids are those of the one that was sent.
   * @throws ServiceError 402, 404, 409, 429 session_busy, 503 setup_unconfirmed
   */
  prepare(account: Account, writtenId: string): Promise<NewlyPrepared>;
  /**
   * Claims the slot that a request id belongs to. A slot that was claimed before is returned as
   * well, because the request's own row decides about a repetition.
   * @throws ServiceError 400 invalid_field, 404, 409 session_expired, 503 setup_unconfirmed
   */
  claim(account: Account, token: string, requestId: string): Promise<ClaimedSlot>;
  /**
   * The same for a recording: once the session is over, the row of a request that is sent again
   * still decides about it.
   */
  claimOrRepeat(account: Account, token: string, requestId: string): Promise<ClaimedSlot>;
  /** True for the token of a live session that this key has prepared. */
  isLive(account: Account, token: string): Promise<boolean>;
}

export interface NewlyPrepared {
  readonly session: PreparedSession;
  readonly token: string;
  readonly requestIds: readonly string[];
}

export interface ClaimedSlot {
  readonly session: PreparedSession;
  readonly slot: SessionSlot;
}

const slots = 32;
export const maxRecordingSeconds = 30;
const lifetimeSeconds = 30;
const clockToleranceSeconds = 1;
/** contract.md: `ss1_` and at least 80 URL-safe characters. */
const tokenBytes = 60;
const tokenLength = 84;
const tokenPattern = /^ss1_[A-Za-z0-9_-]{80,1020}$/;

export function createPreparedSessions(options: SessionsOptions): PreparedSessions {
  return {
    prepare: (account, writtenId) => prepare(options, account, writtenId),
    claim: (account, token, requestId) => claim(options, { account, token, requestId }),
    claimOrRepeat: async (account, token, requestId) => {
      const { organizationId } = account;
      const isRepeat = () => isKnownRequest(options.db, { organizationId, requestId });
      return claim(options, { account, token, requestId, isRepeat });
    },
    isLive: async (account, token) => {
      const session = options.enabled ? await ownSession(options.db, account, token) : null;
      return session !== null && isOpen(session);
    },
  };
}

async function prepare(
  { db, workflows, setUps, enabled }: SessionsOptions,
  { organizationId, keyId }: Account,
  writtenId: string,
): Promise<NewlyPrepared> {
  if (!enabled) throw unavailable();
  const setUpSlot = setUps.tryAcquire(organizationId);
  if (!setUpSlot) {
    const message = `${setUps.max} sessions are being set up already; try again later.`;
    throw new ServiceError('session_busy', message);
  }
  try {
    const sessionId = writtenId.toLowerCase();
    // An id with capitals is kept in the token, because the session knows it without.
    const token = `ss1_${newSecret(tokenBytes)}${writtenId === sessionId ? '' : writtenId}`;
    const session = await createSession(db, {
      organizationId,
      keyId,
      sessionId,
      token,
      slots,
      maxCapacitySeconds: slots * maxRecordingSeconds,
      ratePerMinute: highestRate(spectraModel),
      lifetimeSeconds,
    }).catch((error: unknown) => {
      throw reservationError(error);
    });
    if (!session) {
      const message = 'A session was set up with this id before; every set-up needs a new one.';
      throw new ServiceError('request_already_completed', message, { param: 'id' });
    }
    await workflows.start(session);
    const requestIds = Array.from({ length: slots }, (_, i) => slotRequestId(writtenId, i));
    return { session, token, requestIds };
  } finally {
    setUpSlot.release();
  }
}

interface SlotRequest {
  readonly account: Account;
  readonly token: string;
  readonly requestId: string;
  /** Whether another rule than the session's end decides about it; absent: none does. */
  readonly isRepeat?: () => Promise<boolean>;
}

async function claim(
  { db, workflows, enabled }: SessionsOptions,
  { account, token, requestId, isRepeat }: SlotRequest,
): Promise<ClaimedSlot> {
  if (!enabled) throw unavailable();
  const session = await ownSession(db, account, token);
  if (!session) {
    const message = 'The session token does not belong to this key.';
    throw new ServiceError('invalid_field', message, { param: 'X-Svc-Session' });
  }
  const { sessionId } = session;
  const writtenId = token.slice(tokenLength) || sessionId;
  const number = Array.from({ length: session.slots }, (_, i) => i).find(
    (i) => slotRequestId(writtenId, i) === requestId,
  );
  if (number === undefined) {
    const message = 'The request id does not belong to the session.';
    throw new ServiceError('invalid_field', message, { param: 'X-Request-ID' });
  }
  const outcome = isOpen(session) ? await workflows.claim(session, number) : 'expired';
  if (outcome === 'expired' && !(await isRepeat?.())) {
    throw new ServiceError('session_expired', 'The session has expired; prepare a new one.');
  }
  return { session, slot: { sessionId, slot: number } };
}

/**
 * A remaining time longer than the lifetime means that the clock was set back, so the age is
 * unknown.
 */
function isOpen({ remainingSeconds }: PreparedSession): boolean {
  return remainingSeconds > 0 && remainingSeconds <= lifetimeSeconds + clockToleranceSeconds;
}

/** null when there is no such session, or when it belongs to another key. */
async function ownSession(
  db: Db,
  { organizationId, keyId }: Account,
  token: string,
): Promise<PreparedSession | null> {
  const session = tokenPattern.test(token) ? await findSession(db, token) : null;
  const owned = session?.organizationId === organizationId && session.keyId === keyId;
  return owned ? session : null;
}

function unavailable(): ServiceError {
  const message = 'Prepared sessions are disabled here; send an ordinary speech request.';
  return new ServiceError('session_unavailable', message);
}
