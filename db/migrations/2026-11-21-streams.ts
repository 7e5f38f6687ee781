// Prepared sessions, and the credentials that open one stream each.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The token is known to its holder alone; what is kept is its sha256.
  `CREATE TABLE prepared_sessions (
    organization_id text NOT NULL REFERENCES organizations (id),
    session_id text NOT NULL,
    key_id text NOT NULL REFERENCES api_keys (id),
    token_hash bytea NOT NULL UNIQUE,
    slots integer NOT NULL,
    capacity_seconds integer NOT NULL,
    expires_at timestamptz NOT NULL,
    closed_at timestamptz,
    PRIMARY KEY (organization_id, session_id)
  )`,
  `CREATE INDEX prepared_sessions_open ON prepared_sessions (expires_at)
    WHERE closed_at IS NULL`,
  // A ticket names the request that it opens; a client token names none.
  `CREATE TABLE stream_credentials (
    hash bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('ticket', 'client_token')),
    organization_id text NOT NULL REFERENCES organizations (id),
    key_id text NOT NULL REFERENCES api_keys (id),
    session_id text,
    request_id text,
    attempt integer,
    task text,
    covered_seconds integer,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  )`,
  `CREATE INDEX stream_credentials_by_session
    ON stream_credentials (organization_id, session_id) WHERE session_id IS NOT NULL`,
  `CREATE INDEX stream_credentials_by_age ON stream_credentials (expires_at)`,
];
