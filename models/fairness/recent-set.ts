// A bounded set, which drops its least recently added member.

export interface RecentSet {
  has(name: string): boolean;
  /** Adds the name, or renews it, as the most recent one. */
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
