// What an organization removes from every transcript: set by an operator.
import { unknownOrganization } from './api-keys.ts';
import type { Db } from './database.ts';
import type { Redaction } from '../models/contract/redaction.ts';
import { changeOrganization } from './organization-change.ts';
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
  return changeOrganization(db, {
    ...{ organizationId, actor, action: 'redaction.set' },
    details: { kinds: redaction.kinds.join(','), names: redaction.names.length },
    set: { redactKinds: [...redaction.kinds], redactNames: [...redaction.names] },
  });
}
