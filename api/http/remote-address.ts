// The address of a client for limits, as far as the network can tell clients apart.

/** An IPv6 network of 64 bits counts as one subscriber. */
export function addressOf(remoteAddress = ''): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(remoteAddress);
  if (mapped) return mapped[1]!;
  if (!remoteAddress.includes(':')) return remoteAddress;
  const [head = '', tail] = remoteAddress.split('%')[0]!.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(8).fill('0')];
  return filled.slice(0, 4).join(':');
}
