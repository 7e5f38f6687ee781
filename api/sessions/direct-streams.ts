// A stream of a prepared session, whose request is claimed and reserved before its socket opens.
import type { Account } from '../../db/accounts.ts';
import type { Db } from '../../db/database.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import { unclaimRequest } from '../../db/requests.ts';
import { newSecret } from '../../db/secrets.ts';
import { sessionSecondsLeft } from '../../db/session-ledger.ts';
import { SessionCapacityExhausted, type PreparedSession } from '../../db/sessions.ts';
import { createCredential } from '../../db/stream-credentials.ts';
import { reserve } from '../../db/settlement.ts';
import type { SessionSlot } from '../../models/contract/recording-request.ts';
import { spectraModel } from '../../models/contract/served-models.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import type { SpectraTask } from '../../models/contract/tasks.ts';
import { claimError } from '../runs/claim-error.ts';
import { claimStream } from '../runs/claim-stream.ts';
import { reservationError } from '../runs/reservation-error.ts';
import { maxRecordingSeconds, type ClaimedSlot } from './prepared-sessions.ts';

const ticketBytes = 48;

/** The longest recording that is still possible, with three decimals. */
function recordingSeconds(coveredSeconds: number, remainingSeconds: number): number {
  return Math.min(coveredSeconds, Math.max(0.001, Math.floor(remainingSeconds * 1000) / 1000));
}

export interface DirectStreamRequest extends ClaimedSlot {
  readonly account: Account;
  readonly requestId: string;
  readonly task: SpectraTask;
}

export interface DirectStream {
  readonly ticket: string;
  readonly maxAudioSeconds: number;
}

/** @returns the reserved seconds @throws as `reserve` does */
async function reserveMost(
  db: Db,
  ref: RequestRef & { readonly slot: SessionSlot },
  { sessionId, remainingSeconds }: PreparedSession,
): Promise<number> {
  for (;;) {
    const left = await sessionSecondsLeft(db, ref.organizationId, sessionId);
    // Live audio cannot be longer than the remaining lifetime of the session.
    const most = Math.min(maxRecordingSeconds, Math.ceil(remainingSeconds), left);
    const seconds = Math.max(1, most);
    try {
      await reserve(db, ref, seconds);
      return seconds;
    } catch (error) {
      // Another slot has spent some of it meanwhile.
      if (!(error instanceof SessionCapacityExhausted) || left < 1) throw error;
    }
  }
}

/** @throws ServiceError 402, 403, 409 for the request id, 428 */
export async function openDirectStream(
  db: Db,
  { account, requestId, task, session, slot }: DirectStreamRequest,
): Promise<DirectStream> {
  const { organizationId, keyId } = account;
  const named = { organizationId, requestId, keyId, task, model: spectraModel };
  const rate = ratePerMinute({ model: spectraModel, task });
  const claim = await claimStream(db, { ...named, ratePerMinute: rate });
  if (claim.kind !== 'admitted') throw claimError(claim);
  const ref = { organizationId, requestId, attempt: claim.attempt };
  try {
    const { sessionId } = session;
    const coveredSeconds = await reserveMost(db, { ...ref, slot }, session);
    const ticket = newSecret(ticketBytes);
    const opens = { sessionId, requestId, attempt: claim.attempt, task, coveredSeconds };
    await createCredential(db, { kind: 'ticket', secret: ticket, organizationId, keyId, opens });
    return { ticket, maxAudioSeconds: recordingSeconds(coveredSeconds, session.remainingSeconds) };
  } catch (error) {
    await unclaimRequest(db, ref);
    throw reservationError(error);
  }
}
