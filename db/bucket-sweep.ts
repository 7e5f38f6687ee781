// Finds objects without a row by listing the bucket, a few pages at a time.
import { databaseTime, type Db } from './database.ts';
import { ownPrefixes } from './objects/bucket.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { findOrphans } from './object-rows.ts';
import { readPosition, writePosition } from './sweep-positions.ts';

/** An object has a row for its whole life, so an object of this age without one is an orphan. */
const orphanAgeMs = 24 * 3_600_000;

/** Pages per prefix in one pass; a page has a thousand keys. */
const pagesPerPass = 3;

/**
 * Continues where the last pass stopped, also past objects that cannot be deleted.
 * @returns how many objects were deleted
 * @throws AggregateError at the end of the pass, when some were not
 */
export async function sweepBucket(
  { db, objects }: { readonly db: Db; readonly objects: ObjectStore },
  { ageMs = orphanAgeMs } = {},
): Promise<number> {
  let deleted = 0;
  const errors: unknown[] = [];
  const before = (await databaseTime(db)).getTime() - ageMs;
  for (const prefix of ownPrefixes) {
    let after = await readPosition(db, prefix);
    for (let page = 0; page < pagesPerPass; page += 1) {
      const listed = await objects.listPage(prefix, after);
      const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < before);
      const orphans = await findOrphans(
        db,
        old.map(({ key }) => key),
      );
      await objects.delete(orphans).then(
        () => (deleted += orphans.length),
        (error: unknown) => errors.push(error),
      );
      // After the last page the listing starts over.
      after = listed.at(-1)?.key ?? '';
      if (after === '') break;
    }
    await writePosition(db, prefix, after);
  }
  if (errors.length > 0) throw new AggregateError(errors, 'orphans were not deleted');
  return deleted;
}
