// Locks the rows of several requests, always in the same order: statements that update several take
// them in an order of their own, and two of these that share some would wait for each other.
import { sql } from 'kysely';
import type { Db } from './database.ts';

interface RequestGroup {
  readonly organizationId: string;
  readonly attempts: readonly { readonly requestId: string }[];
}

/** Locks what exists of these requests until the end of the transaction. */
export async function lockRequests(
  trx: Db,
  { organizationId, attempts }: RequestGroup,
): Promise<void> {
  // One alone waits for nobody who waits for it.
  if (attempts.length < 2) return;
  const ids = attempts.map(({ requestId }) => requestId);
  await trx
    .selectFrom('requests')
    .select('requestId')
    .where('organizationId', '=', organizationId)
    .where('requestId', '=', sql<string>`any(${ids})`)
    .orderBy('requestId')
    .forNoKeyUpdate()
    .execute();
}

/** Locks the open requests of a batch. @param named absent: all of them */
export async function lockOpenItems(
  trx: Db,
  batchId: string,
  named: readonly string[] | undefined,
): Promise<void> {
  await trx
    .selectFrom('requests')
    .select('requestId')
    .where('batchId', '=', batchId)
    .where('state', 'in', ['admitted', 'running'])
    .$if(named !== undefined, (query) => query.where('requestId', '=', sql<string>`any(${named})`))
    .orderBy('requestId')
    .forNoKeyUpdate()
    .execute();
}
