// Networks from the settings, as CIDR blocks.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Pairs of address and prefix length in bits. */
export type Networks = readonly (readonly [Address, number])[];

/** @param text CIDR blocks separated by commas. @throws when one is invalid */
export function parseNetworks(text: string): Networks {
  return text
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => ipaddr.parseCIDR(block));
}

export function isWithin(ip: Address, networks: Networks): boolean {
  return networks.some(([block, bits]) => {
    return block.kind() === ip.kind() && (ip as ipaddr.IPv4).match(block as ipaddr.IPv4, bits);
  });
}
