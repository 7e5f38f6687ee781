// Work of the same key, one after the other.

export interface KeyedMutex {
  /**
   * Runs the work once everything of this key that came before has ended, however it ended.
   * @throws the signal's reason when it is aborted before the work has begun
   */
  run<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: async <T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      signal.throwIfAborted();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const begin = async (): Promise<T> => {
        signal.removeEventListener('abort', onAbort);
        signal.throwIfAborted();
        return work();
      };
      const before = last.get(key);
      const own = before ? before.then(begin, begin) : begin();
      last.set(key, own);
      const leave = (): void => {
        if (last.get(key) === own) last.delete(key);
      };
      own.then(leave, leave);
      return Promise.race([own, aborted]);
    },
  };
}
