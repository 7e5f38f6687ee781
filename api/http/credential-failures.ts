// Limits how often an address may send invalid credentials, each of which costs a database query.
import { createHash } from 'node:crypto';
import { renew } from '../../models/concurrency/recent-set.ts';
import { createFailuresLeft, type FailureLimits, type FailuresLeft } from './failures-left.ts';

const defaultFailureLimits: FailureLimits = { burst: 120, perMinute: 60 };

const maxAddresses = 10_000;
const maxValidSecrets = 10_000;

export interface CredentialFailures {
  /**
   * Looks credentials up. Credentials that were valid before are always looked up. Each look-up of
   * others may become a failure, so it takes one of those that its address has left, and gives it
   * back when it was none; while all are taken, the next one waits. An address past its limit may
   * look up others one at a time, ten a second, so that valid ones among them still get through.
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

/** Counts for this process alone. @param nowMs milliseconds of a monotonic clock */
export function createCredentialFailures(
  limits: FailureLimits = defaultFailureLimits,
  nowMs: () => number = () => performance.now(),
): CredentialFailures {
  const peers = new Map<string, FailuresLeft>();
  const validSecrets = new Map<string, string>();
  const peerOf = (address: string): FailuresLeft => {
    const peer = peers.get(address) ?? createFailuresLeft(limits, nowMs);
    renew(peers, address, { to: peer, max: maxAddresses });
    return peer;
  };

  return {
    organizationOfValid: (secret) => validSecrets.get(nameOf(secret)) ?? null,
    forget: (secret) => void validSecrets.delete(nameOf(secret)),
    attempt: async ({ address, secret, lookUp, organizationOf }) => {
      const name = nameOf(secret ?? '');
      const peer = peerOf(address);
      const share = validSecrets.has(name) ? 'none' : await peer.take();
      const found = await lookUp().catch((error: unknown) => {
        peer.interrupt(share, error);
        throw error;
      });
      const organizationId = organizationOf(found);
      if (organizationId === null) {
        validSecrets.delete(name);
        peer.spend(share);
        if (share === 'turn') throw peer.tooMany();
        return found;
      }
      peer.giveBack(share);
      if (secret !== null) {
        renew(validSecrets, name, { to: organizationId, max: maxValidSecrets });
      }
      return found;
    },
  };
}

function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
