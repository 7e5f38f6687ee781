// A set that is bounded: what was added longest ago is dropped.

export interface RecentSet {
  has(name: string): boolean;
  /** As the newest, also where it was in the set. */
  add(name: string): void;
  delete(name: string): void;
}

export function createRecentSet(max: number): RecentSet {
  const names = new Set<string>();
  return {
    has: (name) => names.has(name),
    add: (name) => {
      names.delete(name);
      names.add(name);
      const [oldest] = names;
      if (names.size > max) names.delete(oldest!);
    },
    delete: (name) => void names.delete(name),
  };
}
