// Counts by name, bounded: what was counted longest ago is dropped.

export interface Counts {
  /** @returns the count, this one included */
  add(name: string): number;
  delete(name: string): void;
}

export function createCounts(max: number): Counts {
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
