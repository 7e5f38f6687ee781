// Files and batches of bulk analysis; requests that belong to a batch; secrets of webhooks.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Without bytes and container until a presigned upload has been looked at.
  `CREATE TABLE files (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    object_key text NOT NULL UNIQUE,
    filename text NOT NULL,
    container text,
    bytes integer,
    sha256 text,
    idempotency_key text,
    fingerprint text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  )`,
  `CREATE UNIQUE INDEX files_idempotency ON files (organization_id, idempotency_key)`,
  `CREATE INDEX files_listed ON files (organization_id, created_at, id)`,
  `CREATE INDEX files_expire ON files (expires_at)`,
  `CREATE TABLE batches (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    key_id text NOT NULL REFERENCES api_keys (id),
    task text NOT NULL,
    model text NOT NULL,
    options text NOT NULL,
    metadata text NOT NULL,
    webhook_url text,
    status text NOT NULL DEFAULT 'validating' CHECK (status IN ('validating', 'in_progress',
      'finalizing', 'completed', 'failed', 'cancelling', 'cancelled')),
    total integer NOT NULL CHECK (total > 0),
    bytes bigint NOT NULL,
    idempotency_key text,
    fingerprint text,
    created_at timestamptz NOT NULL DEFAULT now(),
    in_progress_at timestamptz,
    cancelling_at timestamptz,
    ended_at timestamptz,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE UNIQUE INDEX batches_idempotency ON batches (organization_id, idempotency_key)`,
  `CREATE INDEX batches_listed ON batches (organization_id, created_at, id)`,
  `CREATE INDEX batches_open ON batches (created_at) WHERE ended_at IS NULL`,
  `CREATE INDEX batches_expire ON batches (expires_at)`,
  // How an item stands is said by its request alone.
  `CREATE TABLE batch_items (
    batch_id text NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    position integer NOT NULL,
    custom_id text NOT NULL,
    metadata text NOT NULL,
    file_id text NOT NULL,
    object_key text NOT NULL,
    container text NOT NULL,
    bytes integer NOT NULL,
    PRIMARY KEY (batch_id, position),
    UNIQUE (batch_id, custom_id)
  )`,
  `CREATE INDEX batch_items_of_file ON batch_items (file_id)`,
  `ALTER TABLE requests ADD COLUMN batch_id text, ADD COLUMN upload_bytes integer`,
  `CREATE INDEX requests_of_batch ON requests (batch_id) WHERE batch_id IS NOT NULL`,
  // Bulk takes no place of a key's synchronous requests.
  `DROP INDEX requests_open_by_key`,
  `CREATE INDEX requests_open_by_key ON requests (key_id)
    WHERE state IN ('admitted', 'running') AND batch_id IS NULL`,
  `ALTER TABLE objects DROP CONSTRAINT objects_kind_check,
    ADD CONSTRAINT objects_kind_check
      CHECK (kind IN ('upload', 'work', 'result', 'file', 'batch'))`,
  // The one before it signs too for a day, so that receivers can change over.
  `CREATE TABLE webhook_secrets (
    organization_id text PRIMARY KEY REFERENCES organizations (id),
    secret text NOT NULL,
    previous_secret text,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
];
