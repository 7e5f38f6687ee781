// What organizations keep, and how much they may; addresses that outlive their files; retention.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const totalsStatements = [
  // Kept by triggers, also for rows of the version before; whoever adds waits for who adds before.
  `CREATE TABLE storage_totals (
    organization_id text PRIMARY KEY REFERENCES organizations (id),
    bytes bigint NOT NULL,
    files bigint NOT NULL,
    batch_items bigint NOT NULL
  )`,
  `CREATE FUNCTION add_to_storage_totals(organization text, more_bytes bigint, more_files bigint,
    more_items bigint) RETURNS void LANGUAGE sql AS $$
      INSERT INTO storage_totals AS totals
        VALUES (organization, more_bytes, more_files, more_items)
      ON CONFLICT (organization_id) DO UPDATE SET bytes = totals.bytes + excluded.bytes,
        files = totals.files + excluded.files,
        batch_items = totals.batch_items + excluded.batch_items $$`,
  `CREATE FUNCTION follow_files() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_storage_totals(OLD.organization_id,
          -coalesce(OLD.bytes, OLD.reserved_bytes, 0), -1, 0);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_storage_totals(NEW.organization_id,
          coalesce(NEW.bytes, NEW.reserved_bytes, 0), 1, 0);
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER storage_totals_follow_files
    AFTER INSERT OR DELETE OR UPDATE OF bytes, reserved_bytes ON files
    FOR EACH ROW EXECUTE FUNCTION follow_files()`,
  `CREATE FUNCTION follow_tombstones() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM add_to_storage_totals(NEW.organization_id, NEW.bytes, 1, 0);
      ELSE
        PERFORM add_to_storage_totals(OLD.organization_id, -OLD.bytes, -1, 0);
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER storage_totals_follow_tombstones AFTER INSERT OR DELETE ON upload_tombstones
    FOR EACH ROW EXECUTE FUNCTION follow_tombstones()`,
  `CREATE FUNCTION follow_batches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM add_to_storage_totals(NEW.organization_id, 0, 0, NEW.total);
      ELSE
        PERFORM add_to_storage_totals(OLD.organization_id, 0, 0, -OLD.total);
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER storage_totals_follow_batches AFTER INSERT OR DELETE ON batches
    FOR EACH ROW EXECUTE FUNCTION follow_batches()`,
  // Sums are the triggers' alone: nobody who writes rows can write them.
  `REVOKE EXECUTE ON FUNCTION add_to_storage_totals(text, bigint, bigint, bigint) FROM PUBLIC`,
  ...['follow_files', 'follow_tombstones', 'follow_batches', 'add_to_ledger_totals'].map(
    (name) => `ALTER FUNCTION ${name}() SECURITY DEFINER SET search_path = public, pg_temp`,
  ),
  `INSERT INTO storage_totals
    SELECT id, coalesce((SELECT sum(bytes) FROM files WHERE organization_id = organizations.id), 0),
      (SELECT count(*) FROM files WHERE organization_id = organizations.id),
      coalesce((SELECT sum(total) FROM batches WHERE organization_id = organizations.id), 0)
    FROM organizations`,
];

const statements = [
  // Null: what the plan has.
  `ALTER TABLE organizations
    ADD COLUMN storage_bytes bigint CHECK (storage_bytes >= 0),
    ADD COLUMN storage_files integer CHECK (storage_files >= 0)`,
  // An upload straight to storage counts with the most that it can be until it was looked at.
  `ALTER TABLE files
    ADD COLUMN reserved_bytes integer,
    ADD COLUMN upload_expires_at timestamptz`,
  // Keys that an address still writes to although their file is gone: swept until it has expired.
  `CREATE TABLE upload_tombstones (
    key text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id),
    bytes bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    swept_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX upload_tombstones_by_sweep ON upload_tombstones (swept_at)`,
  ...totalsStatements,
  // Append-only is meant whole.
  `CREATE TRIGGER ledger_not_emptied BEFORE TRUNCATE ON ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
  `CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  // Where the sweep of the bucket goes on.
  `CREATE TABLE sweep_positions (name text PRIMARY KEY, position text NOT NULL)`,
  // The counts of a batch that has ended; null for those that ended under the version before.
  `ALTER TABLE batches
    ADD COLUMN completed_items integer,
    ADD COLUMN failed_items integer,
    ADD COLUMN done_seconds bigint,
    ADD COLUMN done_bytes bigint`,
  // What the invoices need of requests whose rows were old enough to go.
  `CREATE TABLE usage_history (
    organization_id text NOT NULL REFERENCES organizations (id),
    day date NOT NULL,
    model text NOT NULL,
    task text NOT NULL,
    requests bigint NOT NULL,
    seconds bigint NOT NULL,
    microusd bigint NOT NULL,
    PRIMARY KEY (organization_id, day, model, task)
  )`,
  `CREATE INDEX requests_by_upload ON requests (upload_key)
    WHERE batch_id IS NULL AND upload_key <> ''`,
  `CREATE INDEX requests_ended ON requests (updated_at)
    WHERE state IN ('completed', 'failed', 'closed')`,
  `CREATE INDEX requests_of_batch_by_state ON requests (batch_id, state)
    WHERE batch_id IS NOT NULL`,
  `CREATE INDEX ledger_debits ON ledger (organization_id, created_at) WHERE kind = 'debit'`,
  `CREATE INDEX audit_of_organization ON audit (organization_id, id)`,
  `CREATE INDEX api_keys_of_organization ON api_keys (organization_id, created_at)`,
  `CREATE INDEX prepared_sessions_by_age ON prepared_sessions (expires_at)`,
];
