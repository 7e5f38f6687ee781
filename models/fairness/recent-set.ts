// A bounded set, which counts its members' additions and drops the least recently added member.

export interface RecentSet {
  has(name: string): boolean;
  /** Adds the name, or renews it, as the most recent one. @returns how often it has been added */
  add(name: string): number;
  delete(name: string): void;
}

export function createRecentSet(max: number): RecentSet {
  const counts = new Map<string, number>();
  return {
    has: (name) => counts.has(name),
    add: (name) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.delete(name);
      counts.set(name, count);
      const [oldest] = counts.keys();
      if (counts.size > max) counts.delete(oldest!);
      return count;
    },
    delete: (name) => void counts.delete(name),
  };
}
