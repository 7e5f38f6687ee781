// Authenticates an upgrade and determines its stream; errors are HTTP answers before the upgrade.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { admitByKey } from '../../db/accounts.ts';
import { hasAllowance } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import { isKnownRequest } from '../../db/requests.ts';
import { findCredential, useCredential, type TicketRequest } from '../../db/stream-credentials.ts';
import { planRows, type Plan } from '../../models/contract/plans.ts';
import type { Redaction } from '../../models/contract/redaction.ts';
import { requireRate } from '../http/key-limits.ts';
import { isRequestId, requestIdError } from '../../models/contract/request-id.ts';
import { chooseSubprotocol, streamOfUrl, type StreamKind } from '../../models/contract/streams.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AcquireStart } from '../../models/fairness/start-gate.ts';
import { acquireSocketSlot, type SocketSlot, type SocketSlots } from './socket-slot.ts';
import {
  offeredProtocols,
  readUpgradeSecret,
  unauthorized,
  type CredentialSecret,
} from './upgrade-secret.ts';

export interface StreamCaller {
  readonly kind: StreamKind;
  /** It offered the subprotocol with interim text. */
  readonly isLive: boolean;
  /** Of a Realtime session; null for the other streams. */
  readonly realtime: RealtimeOpening | null;
  readonly organizationId: string;
  readonly keyId: string;
  readonly plan: Plan;
  /** What the organization removes from every transcript; null for nothing. */
  readonly redaction: Redaction | null;
  /** Terms that the organization prefers in every transcript. */
  readonly vocabulary: readonly string[];
  /** `X-Request-ID`; null when there was none. */
  readonly requestId: string | null;
  readonly ticket: StreamTicket | null;
  /** Held from the upgrade until the stream ends. */
  readonly slot: SocketSlot;
}

/** A caller whose upgrade was accepted. */
export interface OpenedStream extends StreamCaller {
  /** `X-Request-ID` of the answer, which is the stream's id unless the client chose one. */
  readonly answerId: string;
}

/** What the address and the headers of a Realtime session say. */
export interface RealtimeOpening {
  /** Transcribes the turns, until the client names another one. */
  readonly model: string;
  /** The form of its events: today's, or that of the API's preview. */
  readonly dialect: 'current' | 'preview';
}

export interface StreamTicket extends TicketRequest {
  readonly expiresAtMs: number;
  /** When its session expires, on the clock of `performance.now()`. */
  readonly endsAt: number;
}

export interface UpgradeServices extends SocketSlots {
  readonly db: Db;
  /** Limits how fast an organization opens sockets, whether or not they are accepted. */
  readonly acquireStart: AcquireStart;
  /** @throws ServiceError for what the address of a Realtime session does not take */
  readonly readRealtimeOpening: (
    query: string | undefined,
    headers: IncomingHttpHeaders,
  ) => RealtimeOpening;
}

/**
 * The credential is used up last, so that a rejected upgrade leaves it usable.
 * @throws ServiceError 400, 401, 402, 403, 404, 429
 */
export async function authenticateUpgrade(
  services: UpgradeServices,
  request: IncomingMessage,
): Promise<StreamCaller> {
  const { db } = services;
  const [path = '', query] = (request.url ?? '').split('?');
  const kind = streamOfUrl(path);
  if (!kind) throw new ServiceError('not_found', `There is no stream at ${path}.`);
  if (query !== undefined && kind !== 'realtime') {
    throw new ServiceError('invalid_field', 'A stream has no query parameters.');
  }
  const realtime =
    kind === 'realtime' ? services.readRealtimeOpening(query, request.headers) : null;
  const requestId = readRequestId(request);
  const secret = readUpgradeSecret(request, kind);
  const caller =
    secret.kind === 'key' ? await byKey(db, secret.text) : await byCredential(db, secret);
  if (caller.suspended) throw new ServiceError('account_suspended', 'The account is suspended.');
  const { organizationId, keyId, plan, redaction, vocabulary, ticket } = caller;
  if (ticket && requestId !== null && requestId !== ticket.requestId) {
    const message = 'X-Request-ID differs from the request id of the ticket.';
    throw new ServiceError('invalid_field', message, { param: 'X-Request-ID' });
  }
  // The minutes of a ticket were reserved when it was created.
  if (!ticket && !(caller.canPay ?? (await hasAllowance(db, organizationId)))) {
    // Who lost the result of the last minutes must not read that they were never charged.
    const claims = kind !== 'realtime' && requestId !== null;
    if (!claims || !(await isKnownRequest(db, { organizationId, requestId }))) {
      throw new ServiceError('allowance_exhausted', `${planRows[plan].usedUp}.`);
    }
  }
  const slot = await acquireSocketSlot(services, caller);
  try {
    await services.acquireStart(organizationId);
    const isUsed = secret.kind === 'key' || (await useCredential(db, secret.text));
    if (!isUsed) throw unauthorized();
  } catch (error) {
    slot.release();
    throw error;
  }
  const own = kind !== 'realtime' && chooseSubprotocol(kind, offeredProtocols(request.headers));
  const isLive = own !== false && own?.isLive === true;
  const terms = { plan, redaction, vocabulary };
  return { kind, isLive, realtime, organizationId, keyId, ...terms, requestId, ticket, slot };
}

interface Caller extends Omit<StreamCaller, 'kind' | 'isLive' | 'realtime' | 'requestId' | 'slot'> {
  readonly suspended: boolean;
  readonly maxConcurrent: number;
  /** undefined where that has not been looked up. */
  readonly canPay?: boolean;
}

async function byKey(db: Db, key: string): Promise<Caller> {
  const admission = await admitByKey(db, key);
  if (!admission) throw unauthorized();
  const { account, rate, canPay } = admission;
  const { limits, ...known } = account;
  if (rate) requireRate(limits.requestsPerMinute, rate);
  return { ...known, maxConcurrent: limits.maxConcurrent, canPay, ticket: null };
}

async function byCredential(db: Db, { kind, text }: CredentialSecret): Promise<Caller> {
  // Before the query, so that neither its time nor what follows lengthens the session.
  const readAt = performance.now();
  const found = await findCredential(db, kind, text);
  if (!found) throw unauthorized();
  const { request, expiresAtMs, remainingSeconds, ...caller } = found;
  const endsAt = readAt + remainingSeconds * 1_000;
  const ticket = request && { ...request, expiresAtMs, endsAt };
  return { ...caller, ticket };
}

function readRequestId({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id'];
  if (given === undefined || given === '') return null;
  if (isRequestId(given)) return given;
  const param = 'X-Request-ID';
  throw new ServiceError('invalid_request_id', requestIdError(param, String(given)), { param });
}
