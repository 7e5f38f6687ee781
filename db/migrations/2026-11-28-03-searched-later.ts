// `searched` is filled by a trigger, and step by step (`fillSearched`). The day's first migration
// once generated it, and dropped the index of the version before.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `ALTER TABLE recordings ALTER COLUMN searched DROP EXPRESSION IF EXISTS`,
  `CREATE INDEX IF NOT EXISTS recordings_searched ON recordings USING gin (search)`,
  // Empty but for the rows that are not filled yet.
  `CREATE INDEX recordings_unfilled ON recordings (batch_id, position) WHERE searched IS NULL`,
  `CREATE FUNCTION fill_searched() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.searched := to_tsvector('simple', searched_words(NEW.title || ' ' || NEW.text));
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER recordings_fill_searched BEFORE INSERT OR UPDATE OF title, text ON recordings
    FOR EACH ROW EXECUTE FUNCTION fill_searched()`,
];
