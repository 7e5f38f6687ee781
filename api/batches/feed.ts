// The event subscriptions of batches: one query of a batch serves all subscribers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../db/accounts.ts';
import { countItems } from '../../db/batch-counts.ts';
import { findBatch } from '../../db/batches.ts';
import type { Db } from '../../db/database.ts';
import { isFinal } from '../../models/contract/batch-status.ts';
import { endedKeys } from '../../db/account-status.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { createFairGate } from '../../models/fairness/fair-gate.ts';
import { toBatchBody } from './response.ts';
import type { BatchBody } from './schemas.ts';
import { tooBusy } from '../http/key-limits.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';

export interface BatchFeed {
  /**
   * Registers a subscriber in a slot that organizations share.
   * @param end called once when no more events will follow
   * @throws ServiceError rate_limited; not_ready once it is closed
   */
  subscribe(account: Pick<Account, 'organizationId' | 'keyId'>, end: () => void): Subscription;
  /** Ends every subscription: clients reconnect, to another process or a later one. */
  close(): void;
}

export interface Subscription {
  /** Calls `send` with the current state of the batch, and again after every change. */
  readonly start: (batch: Pick<StoredBatch, 'id'>, send: (body: BatchBody) => void) => void;
  readonly unsubscribe: () => void;
}

export interface FeedLimits {
  /** Listeners in all, shared by organizations. */
  readonly max: number;
  readonly maxPerOrganization: number;
  readonly maxPerKey: number;
  readonly intervalMs: number;
}

const defaultFeedLimits: FeedLimits = {
  max: 1_000,
  maxPerOrganization: 100,
  maxPerKey: 20,
  intervalMs: 1_000,
};

interface Listener extends Pick<Account, 'organizationId' | 'keyId'> {
  readonly end: () => void;
  /** It has ended, and its client has not read everything yet. */
  over: boolean;
  /** Null until its first state was sent. */
  batchId: string | null;
  send: (body: BatchBody) => void;
  /** The state that was sent last, as JSON. */
  lastSent: string;
}

/** One loop polls the batches in turn: however many have listeners, one query runs at a time. */
export function createBatchFeed(db: Db, given: Partial<FeedLimits> = {}): BatchFeed {
  const limits = { ...defaultFeedLimits, ...given };
  const gate = createFairGate(limits.max);
  const listeners = new Set<Listener>();
  let polling = false;
  let closed = false;

  const poll = async (): Promise<void> => {
    if (polling) return;
    polling = true;
    for (
      let watchedBatches = watched(listeners);
      watchedBatches.size > 0;
      watchedBatches = watched(listeners)
    ) {
      const startedAt = performance.now();
      // A transient failure of the database is retried.
      await endRevoked(db, listeners).catch(() => {});
      for (const [id, some] of watchedBatches) await notify(db, id, some).catch(() => {});
      await sleep(Math.max(0, limits.intervalMs - (performance.now() - startedAt)));
    }
    polling = false;
  };

  return {
    subscribe: ({ organizationId, keyId }, end) => {
      if (closed) throw new ServiceError('not_ready', 'This process is stopping; try again.');
      const of = (key: 'organizationId' | 'keyId', value: string): number =>
        [...listeners].filter((listener) => listener[key] === value).length;
      if (of('keyId', keyId) >= limits.maxPerKey) {
        throw tooBusy(`This key may have ${limits.maxPerKey} event streams open`);
      }
      if (of('organizationId', organizationId) >= limits.maxPerOrganization) {
        throw tooBusy(`The organization may have ${limits.maxPerOrganization} event streams open`);
      }
      const endOnce = (): void => {
        if (listener.over) return;
        listener.over = true;
        end();
      };
      const listener: Listener = {
        ...{ organizationId, keyId, batchId: null, lastSent: '', over: false },
        end: endOnce,
        send: () => {},
      };
      const slot = gate.tryAcquire(organizationId, { value: () => 0, revoke: endOnce });
      if (!slot) throw tooBusy(`The service keeps at most ${limits.max} event streams open`);
      listeners.add(listener);
      return {
        start: ({ id }, send) => {
          listener.send = send;
          // The first state is sent at once rather than at the next poll, and before it: an answer
          // of the database that comes later may be of an earlier state.
          void notify(db, id, [listener])
            .catch(() => {})
            .then(() => {
              listener.batchId = id;
              return poll();
            });
        },
        unsubscribe: () => {
          listeners.delete(listener);
          slot.release();
        },
      };
    },
    close: () => {
      closed = true;
      for (const listener of listeners) listener.end();
    },
  };
}

/** Listeners by their batch. */
function watched(listeners: ReadonlySet<Listener>): ReadonlyMap<string, readonly Listener[]> {
  const started = [...listeners].filter(({ batchId, over }) => batchId !== null && !over);
  return Map.groupBy(started, (listener) => listener.batchId!);
}

/** Ends the listeners whose key or organization has lost its access. */
async function endRevoked(db: Db, listeners: ReadonlySet<Listener>): Promise<void> {
  const ended = await endedKeys(db, [...new Set([...listeners].map(({ keyId }) => keyId))]);
  for (const listener of listeners) if (ended.has(listener.keyId)) listener.end();
}

/** All listeners of one batch, and so of one organization. */
async function notify(db: Db, id: string, listeners: readonly Listener[]): Promise<void> {
  const batch = await findBatch(db, listeners[0]!.organizationId, id);
  const body = batch && toBatchBody(batch, await countItems(db, batch), Date.now());
  const { estimated_completion_at: _, ...comparable } = body ?? {};
  const lastSent = JSON.stringify(comparable);
  for (const listener of listeners) {
    if (body && listener.lastSent !== lastSent && !listener.over) listener.send(body);
    listener.lastSent = lastSent;
    if (!body || isFinal(body.status)) listener.end();
  }
}
