// What depended on times that PostgreSQL's clock may set back. The charge of a request belongs to
// the row whose attempts it is among; a process that was seen later than now is seen no more.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** A live process says that it lives three times within a lease, by the clock as it is then. */
const isSeen = (since: string): string =>
  `seen_at > clock_timestamp() - ${since} AND seen_at <= clock_timestamp() + lease`;

const statements = [
  `ALTER TABLE requests ADD COLUMN first_attempt integer NOT NULL DEFAULT 1`,
  // Also of rows that the version before writes.
  `CREATE FUNCTION note_first_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.first_attempt := NEW.attempt;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER requests_note_first_attempt BEFORE INSERT ON requests
    FOR EACH ROW EXECUTE FUNCTION note_first_attempt()`,
  // Rows of ids that were charged in a row which has been pruned.
  `UPDATE requests SET first_attempt = pruned.attempt + 1
    FROM (SELECT organization_id, request_id, max(ledger.attempt) AS attempt
      FROM requests JOIN ledger USING (organization_id, request_id)
      WHERE organization_id IN (SELECT organization_id FROM usage_history)
        AND requests.attempt > 1 AND kind = 'debit' AND ledger.created_at < requests.created_at
      GROUP BY organization_id, request_id) AS pruned
    WHERE requests.organization_id = pruned.organization_id
      AND requests.request_id = pruned.request_id`,
  `CREATE OR REPLACE FUNCTION claim_place(key text, process text, place integer, most integer,
      lease interval, given_back integer[]) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended(key, 0));
      IF (SELECT count(*) FROM places LEFT JOIN place_holders ON place_holders.id = holder
          WHERE key_id = key AND CASE holder
            WHEN process THEN number <> ALL (given_back)
            ELSE ${isSeen('lease')} END) >= most THEN
        RETURN false;
      END IF;
      IF NOT EXISTS (SELECT FROM place_holders
          WHERE id = process AND ${isSeen('lease / 2')}) THEN
        INSERT INTO place_holders VALUES (process, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
      END IF;
      INSERT INTO places VALUES (process, place, key) ON CONFLICT DO NOTHING;
      RETURN true;
    END $$`,
];
