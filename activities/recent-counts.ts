// Counts by name, of a bounded number of names: the one least recently counted is dropped.

export interface RecentCounts {
  /** @returns the count, this one included */
  add(name: string): number;
  delete(name: string): void;
}

export function createRecentCounts(max: number): RecentCounts {
  const counts = new Map<string, number>();
  return {
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
