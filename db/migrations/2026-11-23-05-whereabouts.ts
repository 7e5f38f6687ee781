// Ways to a call for those who know its id and not whose it is.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE INDEX requests_by_id ON requests (request_id) WHERE batch_id IS NULL`,
  `CREATE INDEX batch_items_by_custom_id ON batch_items (custom_id)`,
];
