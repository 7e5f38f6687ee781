// What an organization removes from every transcript.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Names are hashes, as in histories.
  `ALTER TABLE organizations
    ADD COLUMN redact_kinds text[] NOT NULL DEFAULT '{}',
    ADD COLUMN redact_names text[] NOT NULL DEFAULT '{}'`,
];
