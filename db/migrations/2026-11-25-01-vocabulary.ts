// The terms that recognition prefers in every recording of an organization.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`ALTER TABLE organizations ADD COLUMN vocabulary text[] NOT NULL DEFAULT '{}'`)
    .execute(db);
}
