// What requests leave behind in ledger, object storage and database.
import type { TestStack } from './stack.ts';

export interface Traces {
  readonly debits: readonly number[];
  readonly objectKeys: readonly string[];
  readonly objectRows: number;
}

/** What an organization's requests left: debits in the ledger, objects, rows. */
export async function traces({ db, objects }: Pick<TestStack, 'db' | 'objects'>): Promise<Traces> {
  const debits = await db
    .selectFrom('ledger')
    .select('seconds')
    .where('kind', '=', 'debit')
    .execute();
  const rows = await db.selectFrom('objects').select('key').execute();
  return {
    debits: debits.map(({ seconds }) => seconds),
    objectKeys: await objects.list(''),
    objectRows: rows.length,
  };
}
