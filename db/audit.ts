// Who changed what of an account: one row per change, in the change's own transaction.
import type { Db } from './database.ts';

export interface AuditEntry {
  readonly organizationId: string;
  /** `operator:NAME`, or the id of the key that asked. */
  readonly actor: string;
  readonly action: string;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

export async function writeAudit(trx: Db, entry: AuditEntry): Promise<void> {
  const { organizationId, actor, action, details } = entry;
  await trx
    .insertInto('audit')
    .values({ organization_id: organizationId, actor, action, details: JSON.stringify(details) })
    .execute();
}

export interface AuditRow extends AuditEntry {
  readonly at: Date;
}

/** Newest first. */
export async function listAudit(
  db: Db,
  { organizationId, limit }: { readonly organizationId: string | null; readonly limit: number },
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(organizationId !== null, (query) => query.where('organization_id', '=', organizationId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    at: row.created_at,
    organizationId: row.organization_id,
    actor: row.actor,
    action: row.action,
    // jsonb comes parsed.
    details: row.details as unknown as AuditEntry['details'],
  }));
}
