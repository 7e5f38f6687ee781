// Recordings that the service fetches itself, and what opens their addresses.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Set until it is fetched; then without its query, which may be a signature.
  `ALTER TABLE files ADD COLUMN source_url text`,
  // Sealed like the secrets of webhooks.
  `CREATE TABLE source_credentials (
    organization_id text NOT NULL REFERENCES organizations (id),
    prefix text NOT NULL,
    kind text NOT NULL,
    secret text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, prefix)
  )`,
];
