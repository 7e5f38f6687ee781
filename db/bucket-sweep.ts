// Objects that no row accounts for: found by walking through the bucket, some pages at a time.
import type { Db } from './database.ts';
import { ownPrefixes } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';
import { findOrphans } from './objects.ts';

/** Rows come before their objects and go after them: an object so old without one has lost it. */
export const orphanAgeMs = 24 * 3_600_000;

/** Of each prefix in one pass; a page has a thousand keys. */
const pagesPerPass = 3;

/** Walks on from where the last pass stopped. @returns how many objects were deleted */
export async function sweepBucket(
  { db, objects }: { readonly db: Db; readonly objects: ObjectStore },
  { ageMs = orphanAgeMs } = {},
): Promise<number> {
  let deleted = 0;
  for (const prefix of ownPrefixes) {
    let after = await readPosition(db, prefix);
    for (let page = 0; page < pagesPerPass; page += 1) {
      const listed = await objects.listPage(prefix, after);
      const before = Date.now() - ageMs;
      const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < before);
      const orphans = await findOrphans(
        db,
        old.map(({ key }) => key),
      );
      await objects.delete(orphans);
      deleted += orphans.length;
      // Behind the last one it begins anew.
      after = listed.at(-1)?.key ?? '';
      if (after === '') break;
    }
    await writePosition(db, prefix, after);
  }
  return deleted;
}

async function readPosition(db: Db, name: string): Promise<string> {
  const row = await db
    .selectFrom('sweepPositions')
    .select('position')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.position ?? '';
}

async function writePosition(db: Db, name: string, position: string): Promise<void> {
  await db
    .insertInto('sweepPositions')
    .values({ name, position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
    .execute();
}
