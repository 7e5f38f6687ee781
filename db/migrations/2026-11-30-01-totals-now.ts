// The totals of the ledger as they are, for statements that have waited for a lock: a statement
// sees what had been committed when it began, and each query of a volatile function what has been
// when that begins.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE FUNCTION ledger_totals_now(organization text, of_period timestamptz)
    RETURNS SETOF ledger_totals LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      RETURN QUERY SELECT * FROM ledger_totals
        WHERE organization_id = organization AND period = of_period;
    END $$`,
];
