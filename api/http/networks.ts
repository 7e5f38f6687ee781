// Networks that an operator names, as CIDR blocks.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** [address, prefix length] of each. */
export type Networks = readonly (readonly [Address, number])[];

/** @param text CIDR blocks by commas. @throws for what is none */
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
