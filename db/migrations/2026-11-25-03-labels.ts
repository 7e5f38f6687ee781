// The overview counts the labels of an organization's recordings without reading the recordings.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `CREATE INDEX recordings_labelled ON recordings (organization_id, created_at)
       INCLUDE (labels)`,
    )
    .execute(db);
}
