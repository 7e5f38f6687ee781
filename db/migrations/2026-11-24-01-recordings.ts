// What the console lists and searches: a row per analysed item of a batch, deleted with its batch.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The configuration `simple` stems no language, since a call may be in any of them. Labels are
  // those of all segments; speakers are names in the order of the numbers.
  `CREATE TABLE recordings (
    batch_id text NOT NULL,
    position integer NOT NULL,
    organization_id text NOT NULL REFERENCES organizations (id),
    title text NOT NULL,
    text text NOT NULL,
    search tsvector NOT NULL
      GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || text)) STORED,
    language text,
    labels text[] NOT NULL,
    speakers text[] NOT NULL,
    duration_seconds double precision NOT NULL,
    words integer NOT NULL,
    unsure_words integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (batch_id, position),
    FOREIGN KEY (batch_id, position) REFERENCES batch_items (batch_id, position) ON DELETE CASCADE
  )`,
  `CREATE INDEX recordings_listed ON recordings (organization_id, created_at, batch_id, position)
    INCLUDE (language, duration_seconds, words, unsure_words)`,
  `CREATE INDEX recordings_searched ON recordings USING gin (search)`,
];
