// Asynchronous work over a list with bounded concurrency. Written by hand because it feeds the
// inference pool, and p-map takes twice as long for an item (docs/adr/0030-libraries.md).

/** Runs `work` over the items with at most `limit` at once; the first error stops it. */
export async function eachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let stopped = false;
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    while (next < items.length && !stopped) {
      const item = items[next++]!;
      await work(item).catch((error: unknown) => {
        stopped = true;
        throw error;
      });
    }
  });
  await Promise.all(lanes);
}
