// Which test files the run spends its time on, so that a slow one is noticed early.

const listed = 10;

export interface FileTimes {
  /** Counts the time since the result before for the file of this one: files run one by one. */
  add(title: string, nowMs: number): void;
  /** The slowest files, as lines of seconds and name. */
  slowest(): readonly string[];
}

/** @param startMs - when the first file began, on the clock of `nowMs` */
export function createFileTimes(startMs: number): FileTimes {
  const spentMs = new Map<string, number>();
  let lastMs = startMs;
  return {
    add: (title, nowMs) => {
      const file = title.split(' › ').slice(0, -1).join(' › ');
      spentMs.set(file, (spentMs.get(file) ?? 0) + nowMs - lastMs);
      lastMs = nowMs;
    },
    slowest: () =>
      [...spentMs]
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, listed)
        .map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`),
  };
}
