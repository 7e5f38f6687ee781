// The addresses of a receiver's host, within a deadline and without the thread pool: whoever names
// a host also chooses its name server, and one that never answers would hold a thread for half a
// minute, of the two on which the names of PostgreSQL and of the storage are resolved as well.
import { lookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ResolveOptions {
  /**
   * Whether names that DNS does not know are looked up as the system does, in its hosts file and
   * search domains.
   */
  readonly hasPrivateNames: boolean;
  readonly deadlineMs?: number;
  /** Name servers as `address:port`; absent: those of the system. */
  readonly servers?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const defaultDeadlineMs = 5_000;
const lookUp = promisify(lookup);
const unknownName: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/** The system's look-ups cannot be cancelled, so that they take one thread at most. */
let systemLookUp: Promise<unknown> = Promise.resolve();

/** @throws when there are none, or when they are not known within the deadline, or on an abort */
export async function resolveHost(
  host: string,
  { hasPrivateNames, deadlineMs = defaultDeadlineMs, servers, signal }: ResolveOptions,
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver();
  if (servers) resolver.setServers(servers);
  const over = new AbortController();
  const ends = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const late = sleep(deadlineMs, undefined, { signal: ends }).then(() => {
    throw new Error(`${host} was not resolved within ${deadlineMs / 1_000} seconds`);
  });
  try {
    return await Promise.race([addressesOf(host, resolver, hasPrivateNames), late]);
  } finally {
    late.catch(() => {});
    over.abort();
    resolver.cancel();
  }
}

async function addressesOf(
  host: string,
  resolver: Resolver,
  hasPrivateNames: boolean,
): Promise<readonly LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer, i) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 }))
      : [],
  );
  if (found.length > 0) return found;
  const reasons = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  const isUnknown = reasons.every(({ code }) => unknownName.includes(code));
  if (!hasPrivateNames || !isUnknown) throw reasons[0] ?? new Error(`${host} has no address`);
  const turn = systemLookUp.then(() => lookUp(host, { all: true }));
  systemLookUp = turn.catch(() => {});
  return turn;
}
