// Forwards WebSocket upgrades to the stream worker, byte for byte, so that one base address serves
// all. An API that stops has the last word.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ServiceError } from '../../models/contract/errors.ts';
import { bearerKey } from '../http/bearer-key.ts';
import type { CredentialFailures } from '../http/credential-failures.ts';
import { toServiceError } from '../http/errors.ts';
import type { AnsweredUpgrade } from '../http/metrics.ts';
import { clientConnection } from '../http/forwarded-headers.ts';
import type { Networks } from '../http/networks.ts';
import type { RequestThrottle } from '../http/request-throttle.ts';
import { isRequestId } from '../../models/contract/request-id.ts';
import { endGracefully, rejectSocket } from '../http/raw-error-response.ts';
import { streamOfUrl, streamPaths } from '../../models/contract/streams.ts';
import { ClientFrames, newPartingWord, partingHeader } from './parting.ts';
import { readUpgradeSecret, type UpgradeSecret } from './upgrade-secret.ts';
import { watchWaiting } from './waiting-socket.ts';

export interface StreamAddress {
  readonly host: string;
  readonly port: number;
}

const connectTimeoutMs = 3_000;
/** The worker's own limits for a connection and a statement of its database are 20 s together. */
const defaultAnswerTimeoutMs = 30_000;

/** `host:port`; IPv6 hosts have brackets. */
export function parseStreamAddress(text: string): StreamAddress {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(text) ?? [];
  if (host === '') throw new Error(`SVC_STREAM_ADDRESS must be host:port, got "${text}"`);
  return { host, port: Number(port) };
}

export interface ForwardOptions {
  readonly address: StreamAddress;
  readonly credentialFailures: CredentialFailures;
  readonly trustedProxies: Networks;
  readonly throttle: RequestThrottle;
  /** @returns the organization that a secret belongs to, null when it is not valid */
  readonly findOrganization: (secret: UpgradeSecret) => Promise<string | null>;
  readonly logger: Logger;
  readonly answered: (upgrade: AnsweredUpgrade) => void;
  /** How long the stream worker may take to answer an upgrade. */
  readonly answerTimeoutMs?: number;
}

export interface ForwardedUpgrades {
  /** Has the stream worker end every stream that is open, and say why. */
  leave(): void;
  /** Ends every connection that is open. */
  close(): void;
}

/** @param server emits `upgrade` for requests of streams alone (api/http/server.ts) */
export function forwardUpgrades(server: Server, options: ForwardOptions): ForwardedUpgrades {
  const open = new Set<Duplex>();
  const forwarded = new Set<ClientFrames>();
  server.on('upgrade', (request, socket, head) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void forwardAuthenticated({ request, socket, head }, { ...options, forwarded });
  });
  return {
    leave: () => {
      for (const frames of forwarded) frames.part();
    },
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

interface Forwarding extends ForwardOptions {
  /** What the clients of open streams send. */
  readonly forwarded: Set<ClientFrames>;
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Waits for a slot of the caller's organization. The stream worker authenticates once more, and
 * says what is wrong with an upgrade.
 */
async function forwardAuthenticated(upgrade: Upgrade, options: Forwarding): Promise<void> {
  const { request, socket } = upgrade;
  const { credentialFailures, throttle } = options;
  let forwarded = false;
  const startedAt = performance.now();
  const tell = (status: number): void => {
    const kind = streamOfUrl(request.url ?? '');
    const seconds = (performance.now() - startedAt) / 1_000;
    if (kind !== null) options.answered({ route: streamPaths[kind], status, seconds });
  };
  const waiting = watchWaiting(socket);
  const work = async (): Promise<void> => {
    forwarded = true;
    const head = Buffer.concat([upgrade.head, waiting.take()]);
    // Its client may have left while it waited.
    const status = socket.destroyed ? null : await forward({ ...upgrade, head }, options);
    if (status !== null) tell(status);
    const key = bearerKey(request.headers.authorization);
    if (status === 401 && key !== null) credentialFailures.forget(key);
  };
  const ended = new Promise((resolve) => socket.once('close', resolve));
  try {
    await throttle.runUpgrade(await organizationOf(request, options), { work, ended });
  } catch (error) {
    // The worker's answer is forwarded unchanged.
    if (forwarded) return;
    waiting.take();
    const { 'x-request-id': given } = request.headers;
    const requestId = isRequestId(given) ? given : randomUUID();
    const answer = toServiceError(error);
    tell(answer.status);
    rejectSocket(socket, answer, { requestId });
  }
}

/**
 * @returns null for an upgrade without valid credentials, which counts against its address
 * @throws ServiceError 429 rate_limited
 */
async function organizationOf(
  request: IncomingMessage,
  { credentialFailures, findOrganization, trustedProxies }: ForwardOptions,
): Promise<string | null> {
  const secret = secretOf(request);
  const key = secret?.kind === 'key' ? secret.text : null;
  const known = key === null ? null : credentialFailures.organizationOfValid(key);
  if (known !== null) return known;
  return credentialFailures.attempt({
    address: clientConnection(request, trustedProxies).address,
    secret: key,
    lookUp: async () => (secret === null ? null : await findOrganization(secret)),
    organizationOf: (found) => found,
  });
}

/** null without one, or when the upgrade is malformed. */
function secretOf(request: IncomingMessage): UpgradeSecret | null {
  const kind = streamOfUrl(request.url ?? '');
  try {
    return kind === null ? null : readUpgradeSecret(request, kind);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

type ForwardedTo = Pick<Forwarding, 'address' | 'logger' | 'forwarded' | 'answerTimeoutMs'>;

/** @returns the status of the answer; null when it is none of HTTP, or the client left */
function forward(
  { request, socket, head }: Upgrade,
  { address, logger, forwarded, answerTimeoutMs = defaultAnswerTimeoutMs }: ForwardedTo,
): Promise<number | null> {
  const status = Promise.withResolvers<number | null>();
  const upstream = connect({ ...address, noDelay: true, timeout: connectTimeoutMs });
  const word = newPartingWord();
  const frames = new ClientFrames(word);
  /** Whether the client has its answer, which is the worker's or a rejection. */
  let answered = false;
  let deadline: NodeJS.Timeout | undefined;
  upstream.once('connect', () => {
    upstream.setTimeout(0);
    // A worker that stands still has its connections accepted all the same.
    const silent = new Error('the stream worker does not answer');
    deadline = setTimeout(() => end(silent), answerTimeoutMs);
    upstream.write(requestHead(request, word));
    frames.write(head);
    socket.pipe(frames).pipe(upstream).pipe(socket, { end: false });
    forwarded.add(frames);
  });
  upstream.once('data', (data: Buffer) => {
    answered = true;
    clearTimeout(deadline);
    const [, code] = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1', 0, 16)) ?? [];
    status.resolve(code === undefined ? null : Number(code));
  });
  const end = (cause: unknown): void => {
    forwarded.delete(frames);
    // What its client still sends is read by whoever ends the socket.
    socket.unpipe(frames);
    frames.destroy();
    upstream.destroy();
    clearTimeout(deadline);
    if (answered) {
      endGracefully(socket);
      return;
    }
    answered = true;
    const message = 'The streams are temporarily unavailable; try again.';
    const { 'x-request-id': given } = request.headers;
    const requestId = isRequestId(given) ? given : randomUUID();
    logger.warn({ requestId, err: cause }, 'the stream worker cannot be reached');
    const error = new ServiceError('not_ready', message, { cause });
    status.resolve(error.status);
    rejectSocket(socket, error, { requestId });
  };
  upstream.once('timeout', () => end(new Error('the stream worker does not answer')));
  upstream.once('error', end);
  for (const event of ['end', 'close']) {
    upstream.once(event, () => end(new Error('the stream worker closed the connection')));
  }
  socket.on('error', () => {});
  socket.once('close', () => {
    // Nobody is left who could be told.
    answered = true;
    status.resolve(null);
    clearTimeout(deadline);
    forwarded.delete(frames);
    frames.destroy();
    upstream.destroy();
  });
  return status.promise;
}

function requestHead({ method, url, rawHeaders }: IncomingMessage, word: string): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value] = rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() !== partingHeader) lines.push(`${name}: ${value}`);
  }
  lines.push(`${partingHeader}: ${word}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
