// What requests leave in ledger, object storage and database.
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerOf } from '../../db/object-keys.ts';
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
    objectKeys: (await objects.list('')).filter((key) => ownerOf(key) !== null),
    objectRows: rows.length,
  };
}

const cleanUpMs = 30_000;

/**
 * The same once nothing is left, or after a while: objects of an answered request are deleted
 * shortly after the answer.
 */
export async function settledTraces(stack: Parameters<typeof traces>[0]): Promise<Traces> {
  const end = Date.now() + cleanUpMs;
  for (;;) {
    const left = await traces(stack);
    if ((left.objectKeys.length === 0 && left.objectRows === 0) || Date.now() > end) return left;
    await sleep(100);
  }
}
