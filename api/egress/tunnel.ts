// A connection to a host through an HTTP proxy: CONNECT of RFC 9110, 9.3.6. Node's agent tunnels
// as well, but its requests have no socket until TLS is up, so that nothing could end them before.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

/** What ends a call, from the first look-up to the last byte. */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** Longest silence; absent: the signal alone counts. */
  readonly idleMs?: number;
}

/**
 * No message has the proxy's password.
 * @throws when the proxy refuses, is silent for too long or cannot be reached; the signal's
 * AbortError
 */
export async function openTunnel(
  proxy: string,
  { hostname, port }: URL,
  { signal, idleMs }: CallLimits,
): Promise<Socket> {
  const address = new URL(proxy);
  const authority = `${hostname}:${port || 443}`;
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(address, {
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(address) },
    // Those of the URL would be sent as if to a server.
    auth: null,
    agent: false,
    signal,
    timeout: idleMs,
  });
  request.once('timeout', () => request.destroy(new Error('the proxy sent nothing')));
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket];
  socket.setTimeout(0);
  if (response.statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy answered ${response.statusCode}`);
}

function credentialsOf({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}
