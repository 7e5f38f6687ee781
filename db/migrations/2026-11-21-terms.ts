// Terms of an account: billing periods, overage, credits, prices, limits of keys.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Seconds beyond the allowance: 0 none, null without bound. A period begins at the anchor's day
  // of every month.
  `ALTER TABLE organizations
    ADD COLUMN overage_seconds integer DEFAULT 0 CHECK (overage_seconds >= 0),
    ADD COLUMN period_anchor timestamptz NOT NULL DEFAULT now()`,
  `UPDATE organizations SET period_anchor = created_at,
    overage_seconds = CASE WHEN overage_allowed THEN NULL ELSE 0 END`,
  `ALTER TABLE organizations DROP COLUMN overage_allowed`,
  `ALTER TABLE api_keys
    ADD COLUMN name text NOT NULL DEFAULT '',
    ADD COLUMN requests_per_minute integer NOT NULL DEFAULT 3000
      CHECK (requests_per_minute > 0),
    ADD COLUMN max_concurrent integer NOT NULL DEFAULT 256 CHECK (max_concurrent > 0)`,
  // The price is fixed when a request is admitted.
  `ALTER TABLE requests
    ADD COLUMN microusd_per_minute integer NOT NULL DEFAULT 0 CHECK (microusd_per_minute >= 0)`,
  `CREATE INDEX requests_open_by_key ON requests (key_id) WHERE state IN ('admitted', 'running')`,
  // Credits are of no period; a trial has one; the months of a subscription are counted in UTC.
  // Milliseconds, as the processes that carry a period to its later entries know no more.
  `CREATE FUNCTION billing_period(plan text, anchor timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
      SELECT date_trunc('milliseconds', CASE plan
        WHEN 'credits' THEN timestamptz 'epoch'
        WHEN 'trial' THEN anchor
        ELSE (anchor AT TIME ZONE 'UTC' + make_interval(months =>
          (extract(year FROM lapsed) * 12 + extract(month FROM lapsed))::int)) AT TIME ZONE 'UTC'
        END)
      FROM age(now() AT TIME ZONE 'UTC', anchor AT TIME ZONE 'UTC') AS lapsed $$`,
  // What a request reserves, gives back and is charged belongs to the period that admitted it.
  `ALTER TABLE ledger DISABLE TRIGGER ledger_append_only`,
  `ALTER TABLE ledger
    ADD COLUMN period timestamptz,
    ADD COLUMN microusd bigint NOT NULL DEFAULT 0 CHECK (microusd >= 0),
    DROP CONSTRAINT ledger_kind_check,
    DROP CONSTRAINT ledger_seconds_check,
    ADD CONSTRAINT ledger_kind_check CHECK (kind IN ('reserve', 'release', 'debit', 'grant')),
    ADD CONSTRAINT ledger_amount_check
      CHECK (CASE kind WHEN 'grant' THEN seconds = 0 AND microusd > 0 ELSE seconds > 0 END)`,
  `UPDATE ledger SET period = billing_period(plan, period_anchor)
    FROM organizations WHERE organizations.id = organization_id`,
  `ALTER TABLE ledger ALTER COLUMN period SET NOT NULL`,
  `ALTER TABLE ledger ENABLE TRIGGER ledger_append_only`,
  `DROP INDEX ledger_balance`,
  // Sums of the ledger, kept by the database itself: a balance costs the same after a million rows.
  `CREATE TABLE ledger_totals (
    organization_id text NOT NULL REFERENCES organizations (id),
    period timestamptz NOT NULL,
    seconds bigint NOT NULL,
    microusd bigint NOT NULL,
    granted_microusd bigint NOT NULL,
    PRIMARY KEY (organization_id, period)
  )`,
  `CREATE FUNCTION add_to_ledger_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE sign integer := CASE NEW.kind WHEN 'release' THEN -1 WHEN 'grant' THEN 0 ELSE 1 END;
    BEGIN
      INSERT INTO ledger_totals AS totals VALUES (NEW.organization_id, NEW.period,
        sign * NEW.seconds, sign * NEW.microusd,
        CASE NEW.kind WHEN 'grant' THEN NEW.microusd ELSE 0 END)
      ON CONFLICT (organization_id, period) DO UPDATE SET
        seconds = totals.seconds + excluded.seconds,
        microusd = totals.microusd + excluded.microusd,
        granted_microusd = totals.granted_microusd + excluded.granted_microusd;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER ledger_totals_follow AFTER INSERT ON ledger
    FOR EACH ROW EXECUTE FUNCTION add_to_ledger_totals()`,
  `INSERT INTO ledger_totals
    SELECT organization_id, period, sum(CASE kind WHEN 'release' THEN -seconds ELSE seconds END),
      0, 0 FROM ledger GROUP BY organization_id, period`,
  // A crash may forget it: the next minute counts anew.
  `CREATE UNLOGGED TABLE rate_windows (
    key_id text PRIMARY KEY,
    began_at timestamptz NOT NULL,
    used integer NOT NULL
  )`,
];
