// Which organizations are erased: what is committed for one later is deleted as what it had. The
// version before neither marks them nor looks at the mark.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `ALTER TABLE organizations ADD COLUMN erased_at timestamptz`,
  `CREATE INDEX organizations_erased ON organizations (id) WHERE erased_at IS NOT NULL`,
];
