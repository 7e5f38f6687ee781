// Places: what a key holds open at this moment, over all processes.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A process that stops saying that it lives holds nothing any more. Neither table outlives a
  // crash of the database: who holds a place writes it again with its next sign of life.
  `CREATE UNLOGGED TABLE place_holders (
    id text PRIMARY KEY,
    seen_at timestamptz NOT NULL
  )`,
  `CREATE INDEX place_holders_by_age ON place_holders (seen_at)`,
  `CREATE UNLOGGED TABLE places (
    holder text NOT NULL,
    number integer NOT NULL,
    key_id text NOT NULL,
    PRIMARY KEY (holder, number)
  )`,
  `CREATE INDEX places_of_key ON places (key_id)`,
  // Counted behind the key's lock, by a statement of its own that sees what was committed before:
  // of a burst exactly as many pass as there are places. What the caller has given back, and the
  // database has not heard of yet, is not counted.
  `CREATE FUNCTION claim_place(key text, process text, place integer, most integer,
      lease interval, given_back integer[]) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended(key, 0));
      IF (SELECT count(*) FROM places LEFT JOIN place_holders ON place_holders.id = holder
          WHERE key_id = key AND CASE holder
            WHEN process THEN number <> ALL (given_back)
            ELSE seen_at > clock_timestamp() - lease END) >= most THEN
        RETURN false;
      END IF;
      IF NOT EXISTS (SELECT FROM place_holders
          WHERE id = process AND seen_at > clock_timestamp() - lease / 2) THEN
        INSERT INTO place_holders VALUES (process, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
      END IF;
      INSERT INTO places VALUES (process, place, key) ON CONFLICT DO NOTHING;
      RETURN true;
    END $$`,
];
