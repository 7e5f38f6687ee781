// What a prepared session holds: the sum of its ledger entries.
import type { Db } from './database.ts';
import type { RequestRef } from './request-ref.ts';

/** Seconds that a session has left. */
export async function sessionSecondsLeft(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<number> {
  return (await sessionLedger(db, organizationId, sessionId)).leftSeconds;
}

/** Seconds and money that are left, and the attempts that have spent some. */
export async function sessionLedger(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<{
  readonly leftSeconds: number;
  readonly leftMicroUsd: number;
  readonly spent: readonly number[];
}> {
  const rows = await db
    .selectFrom('ledger')
    .select(['kind', 'attempt', 'seconds', 'microusd as microUsd'])
    .where('organizationId', '=', organizationId)
    .where('requestId', '=', ledgerId(sessionId))
    .execute();
  const sum = (amount: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((total, row) => total + (row.kind === 'reserve' ? amount(row) : -amount(row)), 0);
  const leftSeconds = sum(({ seconds }) => seconds);
  const leftMicroUsd = sum(({ microUsd }) => microUsd);
  return {
    leftSeconds,
    leftMicroUsd,
    spent: rows.filter(({ kind }) => kind === 'release').map((row) => row.attempt),
  };
}

/** A blank keeps the id apart from those of callers. */
function ledgerId(sessionId: string): string {
  return `session ${sessionId}`;
}

/** Attempt 0 is the session itself, and attempt n + 1 its slot n. */
export function sessionRef(organizationId: string, sessionId: string): RequestRef {
  return { organizationId, requestId: ledgerId(sessionId), attempt: 0 };
}
