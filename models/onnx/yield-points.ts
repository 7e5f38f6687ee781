// Points at which a computation may yield its core to another: before each run of a session.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Waits until the computation may go on. */
export type YieldCore = () => Promise<void>;

const yieldStore = new AsyncLocalStorage<YieldCore>();

/** Makes every session that runs within `body`, at any depth, yield first. */
export function withYieldPoints<T>(yieldTo: YieldCore, body: () => Promise<T>): Promise<T> {
  return yieldStore.run(yieldTo, body);
}

/** Returns at once outside of `withYieldPoints`. */
export async function yieldCore(): Promise<void> {
  await yieldStore.getStore()?.();
}
