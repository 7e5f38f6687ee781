// What an organization removes from every transcript: set by an operator.
import { unknownOrganization } from './api-keys.ts';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';
import type { Redaction } from '../models/contract/redaction.ts';
import { redactionOfColumns } from './redaction-columns.ts';

/** @throws NotFound */
export async function findRedaction(db: Db, organizationId: string): Promise<Redaction | null> {
  const row = await db
    .selectFrom('organizations')
    .select(['redactKinds', 'redactNames'])
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!row) throw unknownOrganization(organizationId);
  return redactionOfColumns(row);
}

/** Holds for requests and batches that begin from now on. @throws NotFound */
export function setRedaction(
  db: Db,
  change: {
    readonly organizationId: string;
    readonly actor: string;
    readonly redaction: Redaction;
  },
): Promise<void> {
  const { organizationId, actor, redaction } = change;
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('organizations')
      .set({ redactKinds: [...redaction.kinds], redactNames: [...redaction.names] })
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknownOrganization(organizationId);
    const details = { kinds: redaction.kinds.join(','), names: redaction.names.length };
    await writeAudit(trx, { organizationId, actor, action: 'redaction.set', details });
  });
}
