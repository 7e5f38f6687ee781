// Authenticates an upgrade and determines its stream; errors are HTTP answers before the upgrade.
import type { IncomingMessage } from 'node:http';
import { findAccountByKey } from '../../db/api-keys.ts';
import { hasAllowance } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import { countRequest } from '../../db/rate-windows.ts';
import { findCredential, useCredential, type TicketRequest } from '../../db/stream-credentials.ts';
import { planRows, type Plan } from '../../models/contract/plans.ts';
import { bearerKey } from '../http/bearer-key.ts';
import { requireRate } from '../http/key-limits.ts';
import { isRequestId, requestIdError } from '../../models/contract/request-id.ts';
import { streamPaths, subprotocols, type StreamKind } from '../../models/contract/streams.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AcquireStart } from '../../models/fairness/start-gate.ts';
import { acquireSocketSlot, type SocketSlot, type SocketSlots } from './socket-slot.ts';

export interface StreamCaller {
  readonly kind: StreamKind;
  readonly organizationId: string;
  readonly keyId: string;
  readonly plan: Plan;
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

export interface StreamTicket extends TicketRequest {
  readonly expiresAtMs: number;
  readonly remainingSeconds: number;
}

export interface UpgradeServices extends SocketSlots {
  readonly db: Db;
  /** Limits how fast an organization opens sockets, whether or not they are accepted. */
  readonly acquireStart: AcquireStart;
}

const kinds = ['spectra', 'lite'] as const;
const credentialPattern = /^[A-Za-z0-9._-]{1,1024}$/;
const tokenPrefix = 'auth.';

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
  const kind = kinds.find((candidate) => streamPaths[candidate] === path);
  if (!kind) throw new ServiceError('not_found', `There is no stream at ${path}.`);
  if (query !== undefined) {
    throw new ServiceError('invalid_field', 'A stream has no query parameters.');
  }
  const requestId = readRequestId(request);
  const secret = readSubprotocols(request, kind);
  const caller = secret === null ? await byKey(db, request) : await byCredential(db, kind, secret);
  if (caller.suspended) throw new ServiceError('account_suspended', 'The account is suspended.');
  const { organizationId, keyId, plan, ticket } = caller;
  if (ticket && requestId !== null && requestId !== ticket.requestId) {
    const message = 'X-Request-ID differs from the request id of the ticket.';
    throw new ServiceError('invalid_field', message, { param: 'X-Request-ID' });
  }
  // The minutes of a ticket were reserved when it was created.
  if (!ticket && !(await hasAllowance(db, organizationId))) {
    throw new ServiceError('allowance_exhausted', `${planRows[plan].usedUp}.`);
  }
  const slot = await acquireSocketSlot(services, caller);
  try {
    await services.acquireStart(organizationId);
    if (secret !== null && !(await useCredential(db, secret))) throw unauthorized();
  } catch (error) {
    slot.release();
    throw error;
  }
  return { kind, organizationId, keyId, plan, requestId, ticket, slot };
}

interface Caller extends Omit<StreamCaller, 'kind' | 'requestId' | 'slot'> {
  readonly suspended: boolean;
  readonly maxConcurrent: number;
}

async function byKey(db: Db, request: IncomingMessage): Promise<Caller> {
  const key = bearerKey(request.headers.authorization);
  const account = key ? await findAccountByKey(db, key) : null;
  if (!account) throw unauthorized();
  const { limits, ...known } = account;
  requireRate(limits.requestsPerMinute, await countRequest(db, account.keyId));
  return { ...known, maxConcurrent: limits.maxConcurrent, ticket: null };
}

async function byCredential(db: Db, kind: StreamKind, secret: string): Promise<Caller> {
  const found = await findCredential(db, kind === 'spectra' ? 'ticket' : 'client_token', secret);
  if (!found) throw unauthorized();
  const { request, expiresAtMs, remainingSeconds, ...caller } = found;
  return { ...caller, ticket: request && { ...request, expiresAtMs, remainingSeconds } };
}

/** The secret among the offered subprotocols, or null; the stream's own must be offered. */
function readSubprotocols(request: IncomingMessage, kind: StreamKind): string | null {
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (!offered.includes(subprotocols[kind])) {
    const message = `The upgrade must offer the subprotocol ${subprotocols[kind]}.`;
    throw new ServiceError('invalid_field', message, { param: 'Sec-WebSocket-Protocol' });
  }
  const [secret, ...more] = offered.filter((name) => name !== subprotocols[kind]);
  if (secret === undefined) return null;
  const bare = kind === 'lite' ? secret.slice(tokenPrefix.length) : secret;
  const prefixed = kind === 'spectra' || secret.startsWith(tokenPrefix);
  if (more.length > 0 || !prefixed || !credentialPattern.test(bare)) throw unauthorized();
  return bare;
}

function readRequestId({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id'];
  if (given === undefined || given === '') return null;
  if (isRequestId(given)) return given;
  const param = 'X-Request-ID';
  throw new ServiceError('invalid_request_id', requestIdError(param, String(given)), { param });
}

function unauthorized(): ServiceError {
  const message = 'The key, ticket or token is not valid, or it was used before.';
  return new ServiceError('invalid_api_key', message);
}
