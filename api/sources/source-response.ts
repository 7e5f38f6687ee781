// One answer of a source: its address and headers are checked here, `fetch-source.ts` stores it.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { finished, PassThrough } from 'node:stream';
import { ServiceError } from '../../models/contract/errors.ts';
import { credentialFor, type SourceCredential } from '../../models/contract/source.ts';
import { AddressRefused } from '../egress/guard.ts';
import { retryAfterSeconds } from '../egress/retry-after.ts';
import { routeTo, type Egress } from '../egress/route.ts';

export interface SourceCall {
  readonly url: URL;
  readonly credentials: readonly SourceCredential[];
  readonly egress: Egress;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly idleMs: number;
}

/** The connection or the server failed in a way that another attempt may not meet. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** As the server wishes; null when it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number | null } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

const param = 'source.url';
const maxRedirects = 5;
const maxHeaderBytes = 16_384;
const heldBytes = 524_288;
const answers: readonly number[] = [200, 206, 416];
const redirects: readonly number[] = [301, 302, 303, 307, 308];
const transient: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/**
 * Follows redirects. Each is checked like the first address, and gets only the credentials that
 * were stored for it.
 * @returns a 200, 206 or 416
 * @throws Interrupted, ServiceError source_refused, source_rejected
 */
export async function openSource(call: SourceCall): Promise<IncomingMessage> {
  let { url } = call;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const response = await send({ ...call, url });
    const { statusCode: status = 0, headers } = response;
    if (answers.includes(status)) return response;
    response.destroy();
    if (redirects.includes(status)) {
      url = redirected(url, headers.location);
    } else if (transient.includes(status)) {
      const afterSeconds = retryAfterSeconds(headers['retry-after'], Date.now());
      throw new Interrupted(`its server answered ${status}`, { retryAfterSeconds: afterSeconds });
    } else {
      const hint = status === 401 || status === 403 ? '; it needs other credentials' : '';
      throw rejected(`The server of \`source\` answered ${status}${hint}.`);
    }
  }
  throw rejected(`The server of \`source\` redirects more than ${maxRedirects} times.`);
}

/**
 * The blocks of an answer, in order. A stream of Node's throws away what it holds when its
 * connection breaks; here all that came is handed out first, so that each connection brings the
 * recording on, also where disk or processor are slower than the network.
 * @throws what broke the connection, after the last block
 */
export function blocksOf(response: IncomingMessage): AsyncIterable<Buffer> {
  const held = { readableHighWaterMark: heldBytes, writableHighWaterMark: heldBytes };
  const arrived = new PassThrough(held);
  let broken: Error | null = null;
  finished(response, (error) => {
    broken = error ?? null;
    arrived.end();
  });
  // From now on, not from the first read: a connection may break before that.
  response.pipe(arrived, { end: false });
  return (async function* () {
    yield* arrived as AsyncIterable<Buffer>;
    if (broken !== null) throw broken;
  })();
}

export function rejected(message: string): ServiceError {
  return new ServiceError('source_rejected', message, { param });
}

function refused(message: string): ServiceError {
  return new ServiceError('source_refused', message, { param });
}

function redirected(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw rejected('The server of `source` redirects to no address.');
  const to = new URL(location, from);
  const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:';
  if (isWeaker || !['https:', 'http:'].includes(to.protocol))
    throw refused(`The server of \`source\` redirects to ${to.protocol}//, allowed is https.`);
  return to;
}

async function send(call: SourceCall): Promise<IncomingMessage> {
  const { url, egress, credentials, headers, signal, idleMs } = call;
  const route = await routeTo(url, egress, { signal, idleMs }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw failureOf(cause, url);
  });
  const secret = credentialFor(url, credentials)?.secret ?? null;
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    ...route,
    headers: {
      'user-agent': 'svc-speech',
      'accept-encoding': 'identity',
      ...headers,
      ...(secret?.kind === 'bearer' && { authorization: `Bearer ${secret.token}` }),
    },
    ...(secret?.kind === 'basic' && { auth: `${secret.user}:${secret.password}` }),
    maxHeaderSize: maxHeaderBytes,
  });
  request.once('timeout', () => request.destroy(new Interrupted('its server sent nothing')));
  // Once there is an answer, its reader sees what breaks.
  request.on('error', () => {});
  request.end();
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  } catch (cause) {
    signal.throwIfAborted();
    throw failureOf(cause, url);
  }
}

function failureOf(cause: unknown, { hostname }: URL): Error {
  if (cause instanceof Interrupted || cause instanceof ServiceError) return cause;
  if (cause instanceof AddressRefused) {
    const why = 'names a host that is not on the public internet';
    return refused(`\`source\` ${why}, and SVC_SOURCE_NETWORKS does not allow it: ${hostname}.`);
  }
  const { code, message } = cause as NodeJS.ErrnoException;
  return new Interrupted(code ?? message, { cause });
}
