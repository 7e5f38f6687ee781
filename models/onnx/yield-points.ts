// Where a computation may be left for another: before each run of a session.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Waits until the computation may go on. */
export type YieldCore = () => Promise<void>;

const yieldStore = new AsyncLocalStorage<YieldCore>();

/** Every session that runs within `body`, however deep, asks first. */
export function withYieldPoints<T>(yieldTo: YieldCore, body: () => Promise<T>): Promise<T> {
  return yieldStore.run(yieldTo, body);
}

/** Goes on at once where nothing takes turns. */
export async function yieldCore(): Promise<void> {
  await yieldStore.getStore()?.();
}
