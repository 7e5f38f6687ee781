// Limits how many requests of an organization are handled concurrently until their outcome is
// known, because a rejected request costs as much authentication and bookkeeping as another one.
import { AcquireTimeout } from '../../models/fairness/fair-semaphore.ts';
import { createPresence } from '../../models/fairness/presence.ts';
import {
  createStartGate,
  othersStayMs,
  type AcquireStart,
} from '../../models/fairness/start-gate.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { tooBusy } from './key-limits.ts';

export interface RequestThrottle {
  /**
   * Runs the work of a request in a slot of its organization, which has few slots while others are
   * active, and many when it is alone. The slot is released when the request is answered or after
   * `slotMs`, whichever is earlier; a request that ends with 429 always keeps its slot for
   * `slotMs`, so that a client that retries at once is limited to a few attempts a second.
   *
   * Credentials that were never valid have no slots: `CredentialFailures` limits their address.
   * @param organizationId null for credentials that are not known to be valid
   * @throws ServiceError 429 rate_limited when too many requests of the organization wait, or what
   * `work` throws
   */
  run<T>(organizationId: string | null, work: () => Promise<T>): Promise<T>;
  /**
   * The same for an upgrade to a stream, which is answered before its work begins: it keeps its
   * slot until the stream has ended, at least for `minUpgradeSlotMs` and at most for
   * `maxUpgradeSlotMs`. While others are active an organization has one slot per core. It waits for
   * a slot for `maxUpgradeWaitMs`.
   */
  runUpgrade<T>(organizationId: string | null, upgrade: UpgradeWork<T>): Promise<T>;
  /**
   * The same for the setting up of a session, whose end half a minute later is work as well: how
   * many end then is decided now, whoever is active then.
   */
  runSetUp<T>(organizationId: string, work: () => Promise<T>): Promise<T>;
}

export interface UpgradeWork<T> {
  readonly work: () => Promise<T>;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;
}

export interface ThrottleGates {
  readonly requests: AcquireStart;
  readonly upgrades: AcquireStart;
  readonly setUps: AcquireStart;
}

/** Longer requests wait for resources that have fair shares of their own. */
const slotMs = 250;
/** A stream of half a second takes as much of Temporal as three clips. */
const minUpgradeSlotMs = 500;
/**
 * Short streams are opened as fast as the machine ends them: on a slow one, a fixed time lets more
 * and more of them run at once. One that lasts longer is of a speaker, and costs little.
 */
const maxUpgradeSlotMs = 2_000;
/** A handshake that nobody answers says nothing; most clients have given up by then. */
const maxUpgradeWaitMs = 20_000;
const requestsPerCore = { alone: 16, besideOthers: 2 } as const;
const upgradesPerCore = { alone: 16, besideOthers: 1 } as const;
/** A session is as much work for Temporal as a short stream. */
const setUpSlotMs = 500;
const setUpsPerCore = { alone: 4, besideOthers: 1 } as const;
/** Fewer than the connections of an address; further requests are rejected without any work. */
const maxWaiting = 768;

/** Who sends requests is active for those that open streams, and the other way round. */
function createGates(): ThrottleGates {
  const presence = createPresence(othersStayMs);
  return {
    requests: createStartGate({ slotMs, perCore: requestsPerCore, presence }),
    upgrades: createStartGate({ slotMs: maxUpgradeSlotMs, perCore: upgradesPerCore, presence }),
    setUps: createStartGate({ slotMs: setUpSlotMs, perCore: setUpsPerCore, presence }),
  };
}

/** The limits apply to this process alone. */
export function createRequestThrottle(gates = createGates()): RequestThrottle {
  const waiting = new Map<string, number>();
  const waitForSlot = async (
    organizationId: string,
    acquire: () => Promise<() => void>,
  ): Promise<() => void> => {
    const before = waiting.get(organizationId) ?? 0;
    if (before >= maxWaiting) {
      throw tooBusy(`${maxWaiting} requests of this organization are waiting`);
    }
    waiting.set(organizationId, before + 1);
    try {
      return await acquire();
    } finally {
      const left = waiting.get(organizationId)! - 1;
      if (left > 0) waiting.set(organizationId, left);
      else waiting.delete(organizationId);
    }
  };
  return {
    run: async (organizationId, work) => {
      if (organizationId === null) return work();
      const release = await waitForSlot(organizationId, () => gates.requests(organizationId));
      let keepsSlot = false;
      try {
        return await work();
      } catch (error) {
        keepsSlot = error instanceof ServiceError && error.status === 429;
        throw error;
      } finally {
        if (!keepsSlot) release();
      }
    },
    runUpgrade: async (organizationId, { work, ended }) => {
      if (organizationId === null) return work();
      const acquire = () => gates.upgrades(organizationId, maxUpgradeWaitMs).catch(notInTime);
      const release = await waitForSlot(organizationId, acquire);
      setTimeout(() => void ended.then(release), minUpgradeSlotMs);
      return work();
    },
    runSetUp: async (organizationId, work) => {
      const acquire = () => gates.setUps(organizationId, maxUpgradeWaitMs).catch(notSetUpInTime);
      // The slot ends by itself.
      await waitForSlot(organizationId, acquire);
      return work();
    },
  };
}

/** @throws ServiceError 429 rate_limited */
function notInTime(error: unknown): never {
  if (!(error instanceof AcquireTimeout)) throw error;
  throw tooBusy(`No slot to open this became free within ${maxUpgradeWaitMs / 1_000} s`);
}

/** @throws ServiceError 429 session_busy */
function notSetUpInTime(error: unknown): never {
  if (!(error instanceof AcquireTimeout)) throw error;
  const seconds = maxUpgradeWaitMs / 1_000;
  const message = `Too many sessions are being set up; no turn came within ${seconds} s.`;
  throw new ServiceError('session_busy', message);
}
