// Who sent a request and to which address, seen through the proxies that are trusted.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isWithin, type Networks } from './networks.ts';
import { addressOf } from './remote-address.ts';

export interface Arrival {
  /** Of the caller; see api/http/remote-address.ts. */
  readonly address: string;
  /** Whether the caller used TLS. */
  readonly secure: boolean;
  /** `host` or `host:port`, as the caller wrote it; '' when it named none. */
  readonly host: string;
}

type Request = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/** A host as it may stand in an address that is handed out. */
const hostPattern = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** @param trusted networks of proxies; what others say of themselves is not believed */
export function arrivalOf({ headers, socket }: Request, trusted: Networks): Arrival {
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

/** Whether a connection is that of a trusted proxy. */
export function isTrusted(address: string | undefined, trusted: Networks): boolean {
  if (address === undefined || trusted.length === 0 || !ipaddr.isValid(address)) return false;
  return isWithin(ipaddr.process(address), trusted);
}

/**
 * The last address of the list that is no trusted proxy's: each proxy adds the one it was connected
 * from, and what stands before that the caller may have made up.
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

/** The outermost proxy's word. */
function first(value: string | string[] | undefined): string {
  return ([value ?? ''].flat()[0] ?? '').split(',')[0]!.trim().toLowerCase();
}
