// What requests leave in ledger, object storage and database.
import { ownerOf } from '../../db/object-keys.ts';
import type { TestStack } from './stack.ts';
import { until } from './until.ts';

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
    objectKeys: (await objects.list('')).filter((key) => ownerOf(key) !== null),
    objectRows: rows.length,
  };
}

/**
 * The same once nothing is left: objects of an answered request are deleted shortly after the
 * answer, those of a rejected one before it, unless storage or database are slow.
 */
export function settledTraces(stack: Parameters<typeof traces>[0]): Promise<Traces> {
  return until(
    () => traces(stack),
    ({ objectKeys, objectRows }) => objectKeys.length === 0 && objectRows === 0,
  );
}
