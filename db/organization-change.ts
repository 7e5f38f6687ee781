// Changes of an organization's row by an operator: each leaves an audit row.
import type { UpdateObject } from 'kysely';
import { unknownOrganization } from './api-keys.ts';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Db } from './database.ts';
import type { Database } from './tables.ts';

export interface OrganizationChange extends AuditEntry {
  readonly set: UpdateObject<Database, 'organizations'>;
}

/** @throws NotFound */
export function changeOrganization(db: Db, { set, ...entry }: OrganizationChange): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('organizations')
      .set(set)
      .where('id', '=', entry.organizationId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknownOrganization(entry.organizationId);
    await writeAudit(trx, entry);
  });
}
