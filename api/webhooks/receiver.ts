// Where a webhook may go: public addresses, and private networks that the operator has named.
import { lookup as resolve, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../models/errors.ts';

/** Private networks that may be called, as [address, prefix length]. */
export type AllowedNetworks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

const maxUrlLength = 2_048;

/** @param text comma-separated CIDR blocks. @throws for what is none */
export function parseNetworks(text: string): AllowedNetworks {
  return text
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => ipaddr.parseCIDR(block));
}

/** True for an address of the public internet, or of a network that is allowed. */
export function mayCall(address: string, networks: AllowedNetworks): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const allowed = networks.some(([block, bits]) => {
    return block.kind() === ip.kind() && (ip as ipaddr.IPv4).match(block as ipaddr.IPv4, bits);
  });
  return allowed || ip.range() === 'unicast';
}

/**
 * The receiver of a webhook: https without credentials; http only into an allowed network.
 * @throws ServiceError invalid_field
 */
export async function parseReceiver(
  text: string,
  networks: AllowedNetworks,
  param: string,
): Promise<URL> {
  const refuse = (reason: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\` ${reason}.`, { param });
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || text.length > maxUrlLength) throw refuse('takes an absolute https address');
  if (url.username !== '' || url.password !== '') throw refuse('takes no user name or password');
  if (!['https:', 'http:'].includes(url.protocol)) throw refuse('takes an https address');
  const addresses = await addressesOf(url).catch(() => {
    throw refuse(`names a host that cannot be found: ${url.hostname}`);
  });
  if (!addresses.every((address) => mayCall(address, networks))) {
    throw refuse('names a host in a private network, which is not allowed here');
  }
  const isPublic = addresses.every((address) => mayCall(address, []));
  if (url.protocol === 'http:' && isPublic) throw refuse('takes an https address');
  return url;
}

async function addressesOf(url: URL): Promise<readonly string[]> {
  const literal = literalAddress(url);
  if (literal !== null) return [literal];
  return new Promise((done, fail) => {
    resolve(url.hostname, { all: true }, (error, found) => {
      if (error) fail(error);
      else done(found.map(({ address }) => address));
    });
  });
}

/** The address that stands in the place of a name; null for a name. */
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
 * Name resolution for a connection that refuses what may not be called: a name that pointed
 * elsewhere when it was checked does not get past it.
 */
export function guardedLookup(networks: AllowedNetworks) {
  return (host: string, options: object, callback: LookupCallback): void => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const allowed = found.filter(({ address }) => mayCall(address, networks));
      const [first] = allowed;
      if (!first) return callback(new Error(`${host} is in a private network`), []);
      if ((options as { all?: boolean }).all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}
