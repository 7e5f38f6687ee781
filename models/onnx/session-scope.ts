// Sessions that are opened together and released together.
import { AsyncLocalStorage } from 'node:async_hooks';

interface Releasable {
  readonly release: () => Promise<void>;
}

export interface Scoped<T> {
  readonly value: T;
  /** Frees the memory of the sessions; none of them may run afterwards. */
  readonly release: () => Promise<void>;
}

const scope = new AsyncLocalStorage<Releasable[]>();

/** Every session that is opened within `open`, at any depth, is released with the result. */
export async function openScoped<T>(open: () => Promise<T>): Promise<Scoped<T>> {
  const sessions: Releasable[] = [];
  const release = async (): Promise<void> => {
    for (const session of sessions.splice(0)) await session.release();
  };
  try {
    return { value: await scope.run(sessions, open), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Outside of a scope a session lives as long as the process. */
export function closeWithScope(session: Releasable): void {
  scope.getStore()?.push(session);
}
