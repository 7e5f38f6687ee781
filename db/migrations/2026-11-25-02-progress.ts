// How far the analysis of each long item of a batch has come, for people who wait.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A row of its own, because the row of a request is read and locked by all that is charged.
  // `done` maps each part of the stage, which may run on several machines, to the share of the
  // stage that it has done; the stage takes the range of the whole.
  `CREATE TABLE item_progress (
    batch_id text NOT NULL,
    position integer NOT NULL,
    stage text NOT NULL,
    range_from real NOT NULL,
    range_to real NOT NULL,
    done jsonb NOT NULL,
    audio_seconds double precision,
    PRIMARY KEY (batch_id, position),
    FOREIGN KEY (batch_id, position) REFERENCES batch_items (batch_id, position) ON DELETE CASCADE
  )`,
];
