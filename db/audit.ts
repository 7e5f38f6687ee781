// The audit of account changes: one row per change, in the transaction of the change.
import type { Db } from './database.ts';
import type { AuditDetails } from './tables.ts';

export interface AuditEntry {
  readonly organizationId: string;
  /** `operator:NAME`, or the id of the key that made the request. */
  readonly actor: string;
  readonly action: string;
  readonly details: AuditDetails;
}

export async function writeAudit(trx: Db, entry: AuditEntry): Promise<void> {
  const { organizationId, actor, action, details } = entry;
  await trx
    .insertInto('audit')
    .values({ organizationId, actor, action, details: JSON.stringify(details) })
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
  return db
    .selectFrom('audit')
    .select(['createdAt as at', 'organizationId', 'actor', 'action', 'details'])
    .$if(organizationId !== null, (query) => query.where('organizationId', '=', organizationId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
