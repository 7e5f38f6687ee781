// What an organization used, out of the ledger: for its invoice and for questions.
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface UsageRow {
  /** UTC, `2026-11-21`. */
  readonly day: string;
  readonly model: string;
  readonly task: string;
  readonly requests: number;
  readonly seconds: number;
  readonly microUsd: number;
}

export interface UsageSpan {
  readonly organizationId: string;
  /** UTC days, both included; null without bound. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Debits by day, model and task, oldest first. */
export async function usageReport(db: Db, span: UsageSpan): Promise<readonly UsageRow[]> {
  const day = sql<string>`to_char(ledger.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
  const rows = await db
    .selectFrom('ledger')
    .innerJoin('requests', (join) =>
      join
        .onRef('requests.organization_id', '=', 'ledger.organization_id')
        .onRef('requests.request_id', '=', 'ledger.request_id'),
    )
    .select([day.as('day'), 'model', 'task'])
    .select(sql<string>`count(*)`.as('requests'))
    .select(sql<string>`sum(ledger.seconds)`.as('seconds'))
    .select(sql<string>`sum(ledger.microusd)`.as('micro_usd'))
    .where('ledger.organization_id', '=', span.organizationId)
    .where('kind', '=', 'debit')
    .$if(span.from !== null, (query) => query.where(day, '>=', span.from!))
    .$if(span.to !== null, (query) => query.where(day, '<=', span.to!))
    .groupBy([day, 'model', 'task'])
    .orderBy('day')
    .orderBy('model')
    .orderBy('task')
    .execute();
  return rows.map((row) => ({
    day: row.day,
    model: row.model,
    task: row.task,
    requests: Number(row.requests),
    seconds: Number(row.seconds),
    microUsd: Number(row.micro_usd),
  }));
}
