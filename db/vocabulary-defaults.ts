// The terms that recognition prefers in every recording of an organization: set by an operator.
import { unknownOrganization } from './api-keys.ts';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';

/** @throws NotFound */
export async function findVocabulary(db: Db, organizationId: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('organizations')
    .select('vocabulary')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!row) throw unknownOrganization(organizationId);
  return row.vocabulary;
}

/** Holds for requests and batches that begin from now on. @throws NotFound */
export function setVocabulary(
  db: Db,
  change: {
    readonly organizationId: string;
    readonly actor: string;
    readonly terms: readonly string[];
  },
): Promise<void> {
  const { organizationId, actor, terms } = change;
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('organizations')
      .set({ vocabulary: [...terms] })
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw unknownOrganization(organizationId);
    const details = { terms: terms.length };
    await writeAudit(trx, { organizationId, actor, action: 'vocabulary.set', details });
  });
}
