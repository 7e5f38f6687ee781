// Names that only this machine knows: its hosts file and the search domains of its resolver, read
// here because the system's own look-up cannot be cancelled. Whoever names a host also chooses its
// name server, and one that is silent would hold the thread that everybody's names wait for.
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { LookupAddress } from 'node:dns';

/** The addresses that a hosts file (hosts(5)) gives a name, in its order. */
export function addressesInHosts(file: string, host: string): readonly LookupAddress[] {
  const wanted = withoutRoot(host.toLowerCase());
  return linesOf(file).flatMap(([address = '', ...names]) => {
    const family = isIP(address);
    const isNamed = names.some((name) => name.toLowerCase() === wanted);
    return family !== 0 && isNamed ? [{ address, family }] : [];
  });
}

/** The names that the last `search` or `domain` line of resolv.conf(5) makes of a name. */
export function searchedNames(file: string, host: string): readonly string[] {
  if (host.endsWith('.')) return [];
  const lists = linesOf(file).filter(([keyword]) => keyword === 'search' || keyword === 'domain');
  const domains = lists.at(-1)?.slice(1) ?? [];
  return domains.map(withoutRoot).flatMap((domain) => (domain === '' ? [] : [`${host}.${domain}`]));
}

/** A file of the system; '' where it has none. */
export async function systemFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function linesOf(file: string): readonly (readonly string[])[] {
  return file.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}

function withoutRoot(name: string): string {
  return name.replace(/\.$/, '');
}
