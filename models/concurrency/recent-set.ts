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
      renew(counts, name, { to: count, max });
      return count;
    },
    delete: (name) => void counts.delete(name),
  };
}

/** Sets the most recent entry; the one that was set longest ago is dropped. */
export function renew<T>(
  entries: Map<string, T>,
  name: string,
  { to, max }: { readonly to: T; readonly max: number },
): void {
  entries.delete(name);
  entries.set(name, to);
  const [oldest] = entries.keys();
  if (entries.size > max) entries.delete(oldest!);
}
