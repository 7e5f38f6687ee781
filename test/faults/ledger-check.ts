// The invariants of the ledger after a fault: what must hold whatever happened.
import { sql } from 'kysely';
import { balanceOf } from '../../db/balance.ts';
import type { TestStack } from '../support/stack.ts';

/** Invariants that do not hold, in words; none when all is well. */
export async function brokenInvariants({
  db,
  objects,
  account,
}: Pick<TestStack, 'db' | 'objects' | 'account'>): Promise<readonly string[]> {
  const { organizationId } = account;
  const broken: string[] = [];
  const { rows: twice } = await sql<{ requestId: string }>`
    SELECT request_id FROM ledger WHERE kind = 'debit'
    GROUP BY organization_id, request_id HAVING count(*) > 1`.execute(db);
  if (twice.length > 0) broken.push(`debited twice: ${twice.map((row) => row.requestId).join()}`);
  const { rows: unpaid } = await sql<{ requestId: string }>`
    SELECT request_id FROM requests LEFT JOIN ledger USING (organization_id, request_id)
    WHERE state = 'completed' AND billable_seconds > 0
    GROUP BY 1 HAVING count(*) FILTER (WHERE kind = 'debit') <> 1`.execute(db);
  if (unpaid.length > 0) broken.push(`completed without a debit: ${unpaid.length}`);
  const { rows: stray } = await sql<{ requestId: string }>`
    SELECT DISTINCT request_id FROM ledger JOIN requests USING (organization_id, request_id)
    WHERE kind = 'debit' AND state <> 'completed'`.execute(db);
  if (stray.length > 0) broken.push(`debited without completion: ${stray.length}`);
  const { rows: held } = await sql<{ requestId: string }>`
    SELECT request_id FROM ledger GROUP BY organization_id, request_id, attempt
    HAVING count(*) FILTER (WHERE kind = 'reserve') > count(*) FILTER (WHERE kind = 'release')
  `.execute(db);
  if (held.length > 0) broken.push(`still reserved: ${held.map((row) => row.requestId).join()}`);
  const { rows: open } = await sql<{ requestId: string }>`
    SELECT request_id FROM requests WHERE state IN ('admitted', 'running')`.execute(db);
  if (open.length > 0) broken.push(`without an end: ${open.map((row) => row.requestId).join()}`);
  const { allowanceSeconds, remainingSeconds, period } = await balanceOf(db, organizationId);
  const { rows: sums } = await sql<{ spent: number }>`
    SELECT coalesce(sum(seconds), 0) AS spent FROM ledger WHERE kind = 'debit'
      AND organization_id = ${organizationId} AND period = ${period}`.execute(db);
  if (remainingSeconds !== allowanceSeconds - sums[0]!.spent) {
    broken.push(`the balance is ${remainingSeconds}, not the allowance less the debits`);
  }
  if (remainingSeconds < 0) broken.push(`the balance is ${remainingSeconds}`);
  const rows = await db.selectFrom('objects').select('key').execute();
  const late = await db.selectFrom('lateWrites').select('key').execute();
  const known = [...rows, ...late].map(({ key }) => key);
  const orphans = (await objects.list('')).filter((key) => !known.some((k) => key.startsWith(k)));
  if (orphans.length > 0) broken.push(`objects without a row: ${orphans.join(', ')}`);
  return broken;
}
