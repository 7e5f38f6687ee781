// Names of files are searched by their words: PostgreSQL's parser takes `a/b.wav` for a path and
// `-0815` for a number. `search` stays for the version before, which runs beside this one.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** All of ASCII but the apostrophe; the collation of a database decides about other characters. */
const punctuation = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~';

const statements = [
  `CREATE FUNCTION searched_words(text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate($1, '${punctuation}', repeat(' ', ${punctuation.length}))`,
  // Empty, as a generated column would be written into every row under a lock. `fillSearched` fills
  // it, and a trigger for new rows.
  `ALTER TABLE recordings ADD COLUMN searched tsvector`,
  `CREATE INDEX recordings_by_word ON recordings USING gin (searched)`,
];
