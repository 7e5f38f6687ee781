// Where a computation may be left for another: before each run of a session.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Waits until the computation may go on. */
export type TakeTurn = () => Promise<void>;

const turnTaking = new AsyncLocalStorage<TakeTurn>();

/** Every session that runs within `body`, however deep, asks first. */
export function takingTurns<T>(ask: TakeTurn, body: () => Promise<T>): Promise<T> {
  return turnTaking.run(ask, body);
}

/** Goes on at once where nothing takes turns. */
export async function takeTurn(): Promise<void> {
  await turnTaking.getStore()?.();
}
