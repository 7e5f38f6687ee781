// Work of the same name, one after the other.

export interface Turns {
  /** Runs the work once everything of this name that came before has ended, however it ended. */
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: async (name, work) => {
      const before = last.get(name);
      const own = before ? before.then(work, work) : work();
      last.set(name, own);
      try {
        return await own;
      } finally {
        if (last.get(name) === own) last.delete(name);
      }
    },
  };
}
