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
    .map(parseBlock);
}

/** Four decimal numbers: the package also reads `10/8` as 0.0.0.10/8, and `010.` as 8. */
function parseBlock(block: string): Networks[number] {
  const isWritten = block.includes(':') || ipaddr.IPv4.isValidCIDRFourPartDecimal(block);
  if (!isWritten) throw new Error(`${block} is no CIDR block`);
  return ipaddr.parseCIDR(block);
}

export function isWithin(ip: Address, networks: Networks): boolean {
  return networks.some(([block, bits]) => {
    return block.kind() === ip.kind() && (ip as ipaddr.IPv4).match(block as ipaddr.IPv4, bits);
  });
}
