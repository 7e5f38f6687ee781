// The addresses of a receiver's host, within a deadline and without the thread pool: whoever names
// a host also chooses its name server, and one that never answers would hold a thread for half a
// minute, of the two on which the names of PostgreSQL and of the storage are resolved as well.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressesInHosts, searchedNames, systemFile } from './private-names.ts';

export interface ResolveOptions {
  /** Whether names that DNS does not know are sought in the hosts file and the search domains. */
  readonly hasPrivateNames: boolean;
  readonly deadlineMs?: number;
  /** Name servers as `address:port`; absent: those of the system. */
  readonly servers?: readonly string[];
  /** Where the system says what it knows by itself. */
  readonly files?: SystemFiles;
  readonly signal?: AbortSignal | undefined;
}

interface SystemFiles {
  readonly hosts: string;
  readonly resolver: string;
}

const systemFiles: SystemFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };
const defaultDeadlineMs = 5_000;
/** How long the addresses of one family wait for those of the other. */
const otherFamilyMs = 1_000;
const unknownName: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/** @throws when there are none, or when they are not known within the deadline, or on an abort */
export async function resolveHost(
  host: string,
  { hasPrivateNames, deadlineMs = defaultDeadlineMs, servers, files, signal }: ResolveOptions,
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver();
  if (servers) resolver.setServers(servers);
  const over = new AbortController();
  const ends = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const late = sleep(deadlineMs, undefined, { signal: ends }).then(() => {
    throw new Error(`${host} was not resolved within ${deadlineMs / 1_000} seconds`);
  });
  const found = hasPrivateNames
    ? addressesHere(host, resolver, files ?? systemFiles, ends)
    : addressesInDns(host, resolver);
  try {
    return await Promise.race([found, late]);
  } finally {
    late.catch(() => {});
    over.abort();
    resolver.cancel();
  }
}

/** What DNS says of a name, or, where it does not know it, what this machine says. */
async function addressesHere(
  host: string,
  resolver: Resolver,
  files: SystemFiles,
  ends: AbortSignal,
): Promise<readonly LookupAddress[]> {
  try {
    return await addressesInDns(host, resolver);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const here = addressesInHosts(await systemFile(files.hosts), host);
    if (here.length > 0) return here;
    for (const name of searchedNames(await systemFile(files.resolver), host)) {
      ends.throwIfAborted();
      const searched = await addressesInDns(name, resolver).catch((reason: unknown) => {
        if (!isUnknown(reason)) throw reason;
        return [];
      });
      if (searched.length > 0) return searched;
    }
    throw error;
  }
}

/** IPv4 first. Name servers that are silent about one of the families hold up the other briefly. */
async function addressesInDns(host: string, resolver: Resolver): Promise<readonly LookupAddress[]> {
  const known: LookupAddress[][] = [];
  const ask = async (family: 4 | 6, answer: Promise<readonly string[]>): Promise<void> => {
    known[family] = (await answer).map((address) => ({ address, family }));
  };
  const asked = [ask(4, resolver.resolve4(host)), ask(6, resolver.resolve6(host))];
  try {
    await Promise.any(asked);
  } catch (error) {
    const reasons = (error as AggregateError).errors as readonly unknown[];
    throw reasons.find((reason) => !isUnknown(reason)) ?? reasons[0]!;
  }
  const over = new AbortController();
  const late = sleep(otherFamilyMs, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([Promise.allSettled(asked), late]);
  over.abort();
  return known.flat();
}

function isUnknown(error: unknown): boolean {
  return unknownName.includes((error as NodeJS.ErrnoException).code);
}
