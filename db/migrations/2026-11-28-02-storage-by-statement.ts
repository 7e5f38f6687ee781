// What organizations keep is summed up once for each statement that changes files, not for each of
// ten thousand rows, whose sums are one row: each of its versions is read by all after it.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const rowsOf = (table: string, sign: '+' | '-'): string =>
  `SELECT organization_id, ${sign}coalesce(bytes, reserved_bytes, 0)::bigint AS bytes,
    ${sign}1 AS files FROM ${table}`;

/** Organizations in one order, so that two statements cannot wait for each other. */
const add = (rows: string): string =>
  `PERFORM add_to_storage_totals(organization_id, more_bytes, more_files, 0) FROM (
    SELECT organization_id, sum(bytes)::bigint AS more_bytes, sum(files)::bigint AS more_files
    FROM (${rows}) AS changed GROUP BY organization_id
    HAVING sum(bytes) <> 0 OR sum(files) <> 0 ORDER BY organization_id) AS sums`;

const statements = [
  `DROP TRIGGER storage_totals_follow_files ON files`,
  `CREATE OR REPLACE FUNCTION follow_files() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${add(rowsOf('added', '+'))};
      ELSIF TG_OP = 'DELETE' THEN ${add(rowsOf('removed', '-'))};
      ELSE ${add(`${rowsOf('added', '+')} UNION ALL ${rowsOf('removed', '-')}`)};
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER storage_totals_follow_added_files AFTER INSERT ON files
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_files()`,
  `CREATE TRIGGER storage_totals_follow_removed_files AFTER DELETE ON files
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_files()`,
  `CREATE TRIGGER storage_totals_follow_changed_files AFTER UPDATE ON files
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION follow_files()`,
  // The tables may be in another schema than public.
  ...['follow_files', 'follow_tombstones', 'follow_batches', 'add_to_ledger_totals'].map(
    (name) => `DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION ${name}() SET search_path = %I, pg_temp', current_schema());
    END $$`,
  ),
];
