// How many items of a batch have no size yet, because their recordings are still to be fetched: the
// estimate of its end goes by the others. The version before fills and counts down none.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('ALTER TABLE batches ADD COLUMN unsized_items integer NOT NULL DEFAULT 0')
    .execute(db);
}
