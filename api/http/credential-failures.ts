// Limits how often an address may send invalid credentials, each of which costs a database query.
import { createHash } from 'node:crypto';
import { ServiceError } from '../../models/contract/errors.ts';
import { renew } from '../../models/fairness/recent-set.ts';

export interface FailureLimits {
  /** Failures that an address may have at once. */
  readonly burst: number;
  readonly perMinute: number;
}

export const defaultFailureLimits: FailureLimits = { burst: 120, perMinute: 60 };

const maxAddresses = 10_000;
const maxValidSecrets = 10_000;
/** Interval between the look-ups of an address past its limit. */
const retryIntervalMs = 100;

export interface CredentialFailures {
  /**
   * Looks credentials up. Credentials that were valid before are always looked up. An address past
   * its limit may look up others one at a time, ten a second, so that valid ones among them still
   * get through.
   * @throws ServiceError 429 rate_limited when nothing was looked up, or when the credentials were
   * invalid again
   */
  attempt<T>(attempt: Attempt<T>): Promise<T>;
  /** The organization of credentials that were valid at their last use; null for all others. */
  organizationOfValid(secret: string): string | null;
  /** Credentials turned out to be invalid somewhere else. */
  forget(secret: string): void;
}

interface Attempt<T> {
  /** The client's address, as returned by api/http/remote-address.ts. */
  readonly address: string;
  /** null for credentials of a single use, which need not be remembered. */
  readonly secret: string | null;
  readonly lookUp: () => Promise<T>;
  /** The organization of the credentials; null when they were invalid. */
  readonly organizationOf: (found: T) => string | null;
}

interface Peer {
  /** Failures left at the time `atMs`. */
  left: number;
  atMs: number;
  /** When an address past its limit may look up again; Infinity while a look-up is in progress. */
  freeAtMs: number;
}

/** Counts for this process alone. @param nowMs milliseconds of a monotonic clock */
export function createCredentialFailures(
  { burst, perMinute }: FailureLimits = defaultFailureLimits,
  nowMs: () => number = () => performance.now(),
): CredentialFailures {
  const peers = new Map<string, Peer>();
  const validSecrets = new Map<string, string>();
  const perMs = perMinute / 60_000;

  const peerOf = (address: string): Peer => {
    const peer = peers.get(address) ?? { left: burst, atMs: nowMs(), freeAtMs: 0 };
    const now = nowMs();
    peer.left = Math.min(burst, peer.left + (now - peer.atMs) * perMs);
    peer.atMs = now;
    return peer;
  };
  const tooManyFailures = ({ left }: Peer): ServiceError => {
    const message =
      'This address has sent too many invalid keys, tickets or tokens; ' +
      `allowed are ${burst} at once and ${perMinute} a minute.`;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1_000));
    return new ServiceError('rate_limited', message, { retryAfterSeconds });
  };
  const fail = (address: string, peer: Peer): void => {
    peer.left = Math.max(0, peer.left - 1);
    renew(peers, address, { to: peer, max: maxAddresses });
  };

  return {
    organizationOfValid: (secret) => validSecrets.get(nameOf(secret)) ?? null,
    forget: (secret) => void validSecrets.delete(nameOf(secret)),
    attempt: async ({ address, secret, lookUp, organizationOf }) => {
      const name = nameOf(secret ?? '');
      const peer = peerOf(address);
      const exhausted = peer.left < 1 && !validSecrets.has(name);
      if (exhausted && nowMs() < peer.freeAtMs) throw tooManyFailures(peer);
      if (exhausted) peer.freeAtMs = Infinity;
      try {
        const found = await lookUp();
        const organizationId = organizationOf(found);
        if (organizationId === null) {
          validSecrets.delete(name);
          fail(address, peer);
          if (exhausted) throw tooManyFailures(peer);
        } else if (secret !== null) {
          renew(validSecrets, name, { to: organizationId, max: maxValidSecrets });
        }
        return found;
      } finally {
        if (exhausted) peer.freeAtMs = nowMs() + retryIntervalMs;
      }
    },
  };
}

function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
