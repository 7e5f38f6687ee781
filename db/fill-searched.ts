// Fills the words by which recordings are searched in rows of versions that did not have them.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Rows per statement, which holds their locks for a second when they are long. */
const stepRows = 100;

/** Fills all in steps of their own, so that nothing waits for long; what is filled stays so. */
export async function fillSearched(db: Db): Promise<void> {
  while (await fillSome(db));
}

/** @returns whether there may be more */
async function fillSome(db: Db): Promise<boolean> {
  // The trigger fills a row whose title is set. Others may be filling as well.
  const { numAffectedRows = 0n } = await sql`
    WITH unfilled AS (
      SELECT batch_id, position FROM recordings WHERE searched IS NULL
      LIMIT ${stepRows} FOR UPDATE SKIP LOCKED)
    UPDATE recordings SET title = title
    FROM unfilled AS u WHERE recordings.batch_id = u.batch_id
      AND recordings.position = u.position`.execute(db);
  return numAffectedRows > 0n;
}
