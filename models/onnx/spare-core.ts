// A second thread for a computation that has the machine to itself (docs/adr/0077).
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from './session.ts';

/** Of a session that takes the spare core, too. */
export const threadsWithSpareCore = 2;

const spareStore = new AsyncLocalStorage<boolean>();

/** Sessions that run within `body`, at any depth, may use a core that no other job wants. */
export function withSpareCore<T>(body: () => Promise<T>): Promise<T> {
  return spareStore.run(true, body);
}

/**
 * One session of two that compute the same numbers.
 * @param wide used where a core is spare
 */
export function orWide(narrow: Session, wide: Session): Session {
  return {
    ...narrow,
    run: (feeds, fetches) => (spareStore.getStore() ? wide : narrow).run(feeds, fetches),
  };
}
