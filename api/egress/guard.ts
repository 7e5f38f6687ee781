// Addresses that the service may connect to for a caller: public ones, and private networks that
// the operator allows.
import type { LookupAddress } from 'node:dns';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { isWithin, type Networks } from '../http/networks.ts';
import { resolveHost } from './resolve-host.ts';

/** The host has no address that callers may make the service connect to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string) {
    super(`${host} may not be called`);
  }
}

/** True for a public address, or one of an allowed network. */
export function mayCall(address: string, networks: Networks): boolean {
  // The parser reads `::1.2.3.4` as 1.2.3.4, but a connection would not.
  if (!ipaddr.isValid(address) || /^::\d+\./.test(address)) return false;
  const ip = ipaddr.process(address);
  return isWithin(ip, networks) || (ip.range() === 'unicast' && isGlobal(ip));
}

/**
 * The one IPv6 block of the internet (RFC 4291). The parser takes what is assigned to nobody for
 * unicast as well, which overlay networks use as their own.
 */
const internet = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 blocks of the internet that embed an IPv4 address, which the checks would not see. */
const ipv4Carriers = ['2001::/32', '2002::/16'].map((block) => ipaddr.IPv6.parseCIDR(block));

function isGlobal(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.kind() === 'ipv4') return true;
  const ipv6 = ip as ipaddr.IPv6;
  const { parts } = ipv6;
  // ISATAP (RFC 5214): the interface part embeds an IPv4 address, in any network.
  if (parts[5] === 0x5efe && (parts[4]! & ~0x200) === 0) return false;
  return ipv6.match(...internet) && !ipv4Carriers.some((carrier) => ipv6.match(...carrier));
}

/** The addresses that the host resolves to. @throws when it cannot be resolved, or on an abort */
export async function addressesOf(
  url: URL,
  networks: Networks,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalAddress(url);
  if (literal !== null) return [literal];
  const hasPrivateNames = networks.length > 0;
  const found = await resolveHost(url.hostname, { hasPrivateNames, signal });
  return found.map(({ address }) => address);
}

/** The literal address of a URL; null when it has a host name. */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : null;
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Name resolution that only returns allowed addresses, so a name that resolves differently after
 * its validation does not get past it.
 */
export function guardedLookup(networks: Networks, isAllowed: (address: string) => boolean) {
  const allowed = async (host: string): Promise<readonly LookupAddress[]> => {
    const found = await resolveHost(host, { hasPrivateNames: networks.length > 0 });
    const mayBeCalled = found.filter(({ address }) => isAllowed(address));
    if (mayBeCalled.length === 0) throw new AddressRefused(host);
    return mayBeCalled;
  };
  return (host: string, options: object, callback: LookupCallback): void => {
    callbackify(allowed)(host, (error, found) => {
      if (error) callback(error, []);
      else if ((options as { all?: boolean }).all) callback(null, [...found]);
      else callback(null, found[0]!.address, found[0]!.family);
    });
  };
}
