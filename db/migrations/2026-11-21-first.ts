// Organizations, keys, requests, ledger and object rows.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE TABLE organizations (
    id text PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL CHECK (plan IN ('trial', 'subscription', 'credits')),
    suspended boolean NOT NULL DEFAULT false,
    allowance_seconds integer NOT NULL CHECK (allowance_seconds >= 0),
    overage_allowed boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Only a hash of the secret is kept; the prefix is public and finds the row.
  `CREATE TABLE api_keys (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    prefix text NOT NULL UNIQUE,
    secret_hash bytea NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // The authority on a request id: one row per (organization, request id), written before any work.
  `CREATE TABLE requests (
    organization_id text NOT NULL REFERENCES organizations (id),
    request_id text NOT NULL,
    fingerprint text NOT NULL,
    key_id text NOT NULL REFERENCES api_keys (id),
    task text NOT NULL,
    model text NOT NULL,
    state text NOT NULL DEFAULT 'admitted'
      CHECK (state IN ('admitted', 'running', 'completed', 'failed', 'closed')),
    attempt integer NOT NULL DEFAULT 1,
    upload_key text NOT NULL,
    billable_seconds integer,
    error_code text,
    error_message text,
    error_param text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, request_id)
  )`,
  `CREATE INDEX requests_open ON requests (updated_at) WHERE state IN ('admitted', 'running')`,
  // Append-only; a balance is the allowance less debits and open reservations.
  `CREATE TABLE ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    request_id text NOT NULL,
    attempt integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('reserve', 'release', 'debit')),
    seconds integer NOT NULL CHECK (seconds > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, request_id, attempt, kind)
  )`,
  `CREATE UNIQUE INDEX ledger_one_debit ON ledger (organization_id, request_id)
    WHERE kind = 'debit'`,
  `CREATE INDEX ledger_balance ON ledger (organization_id) INCLUDE (kind, seconds)`,
  `CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''the ledger is append-only''; END'`,
  `CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
    FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()`,
  // The row comes before the object, so that an object without a row cannot exist unseen.
  `CREATE TABLE objects (
    key text PRIMARY KEY,
    organization_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('upload', 'work', 'result')),
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX objects_by_age ON objects (kind, created_at)`,
];
