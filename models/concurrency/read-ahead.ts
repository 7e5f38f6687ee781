// Reads in order, some of them ahead: storage that is far away is asked for several at once.

/**
 * @param items in the order of the answers
 * @param limit reads in progress, and results that wait
 * @throws what a read does, in its turn; those that were begun behind it are left to end
 */
export async function* readAhead<Item, Result>(
  items: AsyncIterable<Item>,
  limit: number,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const reads: Promise<Result>[] = [];
  for await (const item of items) {
    const result = read(item);
    // Awaited in order; until then a failure must not count as unhandled.
    result.catch(() => {});
    reads.push(result);
    if (reads.length === limit) yield await reads.shift()!;
  }
  for (const result of reads) yield await result;
}
