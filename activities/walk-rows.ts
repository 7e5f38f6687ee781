// A step of the sweeper that goes through rows for a share of a pass, and on in the next pass.
import type { Db } from '../db/database.ts';
import { eachRow } from '../db/pages.ts';
import { readPosition, writePosition } from '../db/sweep-positions.ts';

/** Of the five minutes that a pass has: whatever waits here, the other steps have their turn. */
export const shareOfPassMs = 60_000;

interface Walk<T> {
  /** Name of the place where the next pass goes on. */
  readonly position: string;
  /** A page of rows in the order of their ids, behind one that may be gone; '' for the first. */
  readonly readAfter: (id: string) => Promise<readonly T[]>;
  readonly work: (row: T) => Promise<unknown>;
  readonly shareMs?: number;
}

/** From where the last pass stopped to the end; the next one begins anew. */
export async function walkRows<T extends { readonly id: string }>(
  db: Db,
  { position, readAfter, work, shareMs = shareOfPassMs }: Walk<T>,
): Promise<void> {
  const start = await readPosition(db, position);
  const endMs = performance.now() + shareMs;
  let reached = start;
  try {
    for await (const row of eachRow((after: T | null) => readAfter(after?.id ?? start))) {
      // Also of one that a pass ends at, so that it cannot hold up those behind it.
      reached = row.id;
      await work(row);
      if (performance.now() >= endMs) return;
    }
    reached = '';
  } finally {
    if (reached !== start) await writePosition(db, position, reached);
  }
}
