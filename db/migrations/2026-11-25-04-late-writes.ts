// Objects that may be written although their rows are gone: swept until no write can arrive.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE TABLE late_writes (
    key text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    expires_at timestamptz NOT NULL,
    swept_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX late_writes_by_sweep ON late_writes (swept_at)`,
];
