// How requests of callers leave the service: to checked addresses, or through a proxy.
import type { RequestOptions } from 'node:https';
import type { TcpSocketConnectOpts } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Networks } from '../http/networks.ts';
import { AddressRefused, addressesOf, guardedLookup, literalAddress, mayCall } from './guard.ts';
import { openTunnel, type CallLimits } from './tunnel.ts';

export interface Egress {
  /** Private networks that may be called, never through a proxy. */
  readonly networks: Networks;
  /** Proxy to the internet; absent or null: requests are sent directly. */
  readonly proxy?: string | null | undefined;
}

/** Options of one request, its limits among them. */
export type Route = RequestOptions &
  Pick<ConnectionOptions, 'socket'> &
  Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>;

/**
 * How long one of several addresses is tried. Node's 250 ms give up on servers that are far away,
 * or whose first packet is lost and sent again after a second, for an address that leads nowhere.
 */
const addressMs = 2_500;

/**
 * How a host is reached. Behind a proxy it is the proxy that resolves the name and connects, so
 * the addresses can only be checked beforehand; the proxy's operator decides which networks it can
 * reach. Without a certificate only networks that the operator names are reached, never the
 * internet.
 * @throws AddressRefused, or when its name cannot be resolved or the proxy gives no tunnel
 */
export async function routeTo(
  url: URL,
  { networks, proxy = null }: Egress,
  limits: CallLimits,
): Promise<Route> {
  const isEncrypted = url.protocol === 'https:';
  const isAllowed = (address: string): boolean =>
    mayCall(address, networks) && (isEncrypted || !mayCall(address, []));
  const literal = literalAddress(url);
  // A connection to a literal address looks nothing up.
  if (literal !== null && !isAllowed(literal)) throw new AddressRefused(literal);
  const common = { agent: false, signal: limits.signal, timeout: limits.idleMs } as const;
  const direct = {
    ...{ ...common, lookup: guardedLookup(networks, isAllowed) },
    autoSelectFamilyAttemptTimeout: addressMs,
  };
  if (proxy === null || !isEncrypted) return direct;
  const addresses = await addressesOf(url, networks, limits.signal);
  if (!addresses.every((address) => mayCall(address, []))) return direct;
  return { ...common, socket: await openTunnel(proxy, url, limits) };
}
