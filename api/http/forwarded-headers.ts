// The client's connection as trusted proxies describe it in `X-Forwarded-For`, `-Proto` and
// `-Host`.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isWithin, type Networks } from './networks.ts';
import { addressOf } from './remote-address.ts';

export interface ClientConnection {
  /** The client's address, as returned by api/http/remote-address.ts. */
  readonly address: string;
  /** Whether the client used TLS. */
  readonly secure: boolean;
  /** `host` or `host:port` as the client sent it; '' without a Host header. */
  readonly host: string;
}

type Request = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/** Hosts that are safe to repeat in the URLs of answers. */
const hostPattern = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** @param trusted networks of proxies; the headers of any other sender are ignored */
export function clientConnection(
  { headers, socket }: Request,
  trusted: Networks,
): ClientConnection {
  const direct = {
    address: addressOf(socket.remoteAddress),
    secure: false,
    host: headers.host ?? '',
  };
  if (!isTrusted(socket.remoteAddress, trusted)) return direct;
  const host = first(headers['x-forwarded-host']);
  const caller = callerOf(headers['x-forwarded-for'], trusted);
  return {
    address: caller === null ? direct.address : addressOf(caller),
    secure: first(headers['x-forwarded-proto']) === 'https',
    host: hostPattern.test(host) ? host : direct.host,
  };
}

/** Whether the peer of a connection is a trusted proxy. */
export function isTrusted(address: string | undefined, trusted: Networks): boolean {
  if (address === undefined || trusted.length === 0 || !ipaddr.isValid(address)) return false;
  return isWithin(ipaddr.process(address), trusted);
}

/**
 * The last address of the list that does not belong to a trusted proxy. Each proxy appends the
 * address that it was called from, and anything before that may be forged by the client.
 */
function callerOf(forwardedFor: string | string[] | undefined, trusted: Networks): string | null {
  const hops = [forwardedFor ?? []].flat().join(',').split(',').reverse();
  let nearest: string | null = null;
  for (const hop of hops) {
    const address = withoutPort(hop.trim());
    if (!ipaddr.isValid(address)) return nearest;
    nearest = address;
    if (!isTrusted(address, trusted)) return nearest;
  }
  return nearest;
}

function withoutPort(hop: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/** The first value of a list, which the outermost proxy has set. */
function first(value: string | string[] | undefined): string {
  return ([value ?? ''].flat()[0] ?? '').split(',')[0]!.trim().toLowerCase();
}
