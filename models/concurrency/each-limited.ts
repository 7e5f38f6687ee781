// Asynchronous work over a list with bounded concurrency. Written by hand because it feeds the
// inference pool, and p-map takes twice as long for an item (docs/adr/0030-libraries.md).

/**
 * Runs `work` over the items with at most `limit` at once. The first error stops it: it rejects
 * with that one when what had begun has ended, so that nothing goes on beside what comes next.
 */
export async function eachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const errors: unknown[] = [];
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    while (next < items.length && errors.length === 0) {
      const item = items[next++]!;
      await work(item).catch((error: unknown) => errors.push(error));
    }
  });
  await Promise.all(lanes);
  if (errors.length > 0) throw errors[0];
}
