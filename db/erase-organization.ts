// The end of a customer: what an organization has stored is deleted, what it was charged stays.
import { sql } from 'kysely';
import { unknownOrganization } from './api-keys.ts';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Db } from './database.ts';

/** The organization's keys still work, so that it could go on storing. */
export class NotSuspended extends Error {
  override readonly name = 'NotSuspended';

  constructor(organizationId: string) {
    super(`${organizationId} is active; suspend it first`);
  }
}

/** Rows per statement, which holds its locks for some ten milliseconds. */
const stepRows = 1_000;

/**
 * Revokes the keys, deletes secrets, vocabulary and names, and lets every batch and file expire
 * now: the sweeper deletes those with recordings and results, a batch once it has ended. Ledger,
 * usage, audit, and the outcomes of request ids stay until their own time. A repeated call goes on
 * where one before was interrupted.
 * @throws NotFound, NotSuspended
 */
export async function eraseOrganization(
  db: Db,
  { organizationId, actor }: Pick<AuditEntry, 'organizationId' | 'actor'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await closeAccount(trx, organizationId);
    await writeAudit(trx, { organizationId, actor, action: 'organization.erase', details: {} });
  });
  for (const table of ['batches', 'files'] as const) {
    while ((await expireSome(db, table, organizationId)) === stepRows);
  }
}

async function closeAccount(trx: Db, organizationId: string): Promise<void> {
  const row = await trx
    .selectFrom('organizations')
    .select('suspended')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw unknownOrganization(organizationId);
  if (!row.suspended) throw new NotSuspended(organizationId);
  await trx
    .updateTable('organizations')
    .set({ redactKinds: [], redactNames: [], vocabulary: [] })
    .where('id', '=', organizationId)
    .execute();
  await trx
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, now())`, name: '' })
    .where('organizationId', '=', organizationId)
    .execute();
  await trx
    .updateTable('modelAccess')
    .set({ useCase: null })
    .where('organizationId', '=', organizationId)
    .execute();
  for (const table of secretTables) {
    await trx.deleteFrom(table).where('organizationId', '=', organizationId).execute();
  }
}

const secretTables = ['webhookSecrets', 'sourceCredentials', 'quarantinedAudio'] as const;

/** @returns how many rows expire now that would have later */
async function expireSome(
  db: Db,
  table: 'batches' | 'files',
  organizationId: string,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    // A batch that ends later is kept for as long as lies between the two.
    .set({ expiresAt: sql<Date>`created_at` })
    .where('id', 'in', (query) =>
      query
        .selectFrom(table)
        .select('id')
        .where('organizationId', '=', organizationId)
        .where('expiresAt', '>', sql<Date>`now()`)
        .limit(stepRows),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
