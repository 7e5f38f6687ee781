// Ends of keys that outlive a rotation, a smaller default of requests at once, whole months.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // What was asked for, once a rotation has shortened `expires_at`; infinity: no end.
  `ALTER TABLE api_keys ADD COLUMN asked_expires_at timestamptz`,
  // Far below what a process takes in: one key leaves room for others. Keys keep what they have.
  `ALTER TABLE api_keys ALTER COLUMN max_concurrent SET DEFAULT 64`,
  // A month begins at the anchor's day, or at the last day of a month that is too short for it. The
  // anchor is always counted from, so that the 31st comes back after February.
  `CREATE FUNCTION billing_period(plan text, anchor timestamptz, at timestamptz)
    RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT date_trunc('milliseconds', CASE plan
        WHEN 'credits' THEN timestamptz 'epoch'
        WHEN 'trial' THEN anchor
        ELSE (start + make_interval(months => months -
          CASE WHEN start + make_interval(months => months) > instant THEN 1 ELSE 0 END))
          AT TIME ZONE 'UTC'
        END)
      FROM (SELECT anchor AT TIME ZONE 'UTC' AS start, at AT TIME ZONE 'UTC' AS instant) AS utc,
        LATERAL (SELECT ((extract(year FROM instant) - extract(year FROM start)) * 12
          + extract(month FROM instant) - extract(month FROM start))::int AS months) AS between_them
    $$`,
  // Same name, arguments and type: the version before reads the new boundary too.
  `CREATE OR REPLACE FUNCTION billing_period(plan text, anchor timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$ SELECT billing_period(plan, anchor, now()) $$`,
];
