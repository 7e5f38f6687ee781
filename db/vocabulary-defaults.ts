// The terms that recognition prefers in every recording of an organization: set by an operator.
import { unknownOrganization } from './api-keys.ts';
import type { Db } from './database.ts';
import { changeOrganization } from './organization-change.ts';

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
  return changeOrganization(db, {
    ...{ organizationId, actor, action: 'vocabulary.set' },
    details: { terms: terms.length },
    set: { vocabulary: [...terms] },
  });
}
