// The end of a customer: what an organization has stored is deleted, what it was charged stays.
import { sql } from 'kysely';
import { unknownOrganization } from './api-keys.ts';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Db } from './database.ts';

/** The organization's keys still work, so that it could go on storing. */
class NotSuspended extends Error {
  override readonly name = 'NotSuspended';

  constructor(organizationId: string) {
    super(`${organizationId} is active; suspend it first`);
  }
}

/** Rows per statement, which holds its locks for some ten milliseconds. */
const stepRows = 1_000;

/**
 * Marks the organization as erased and deletes what it has, as `eraseMarked`. Ledger, usage, audit,
 * and the outcomes of request ids stay until their own time. It may be repeated.
 * @throws NotFound, NotSuspended
 */
export async function eraseOrganization(
  db: Db,
  { organizationId, actor }: Pick<AuditEntry, 'organizationId' | 'actor'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await markErased(trx, organizationId);
    await writeAudit(trx, { organizationId, actor, action: 'organization.erase', details: {} });
  });
  await eraseMarked(db);
}

async function markErased(trx: Db, organizationId: string): Promise<void> {
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
    .set({ erasedAt: sql<Date>`coalesce(erased_at, now())` })
    .where('id', '=', organizationId)
    .execute();
}

/**
 * Of every erased organization: revokes the keys, deletes secrets, vocabulary and names, and lets
 * batches and files expire now. The sweeper deletes those with recordings and results, a batch once
 * it has ended. Each pass of it does this again, because a body may have been read, or a key
 * rotated, since before the organization was erased.
 */
export async function eraseMarked(db: Db): Promise<void> {
  const erased = await erasedOrganizations(db);
  if (erased.length === 0) return;
  await eraseTerms(db, erased);
  for (const table of ['batches', 'files'] as const) {
    for (;;) {
      // Until there is none: of those that were found, others may have deleted some.
      const ids = await unexpired(db, table, erased);
      if (ids.length === 0) break;
      await expireNow(db, table, ids);
    }
  }
}

async function erasedOrganizations(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where('erasedAt', 'is not', null)
    // A version before the mark resumes without removing it.
    .where('suspended', '=', true)
    .execute();
  return rows.map(({ id }) => id);
}

/** What is left of their terms, keys and secrets. */
async function eraseTerms(db: Db, erased: readonly string[]): Promise<void> {
  const isErased = sql<boolean>`organization_id = any(${erased})`;
  await db
    .updateTable('organizations')
    .set({ redactKinds: [], redactNames: [], vocabulary: [] })
    .where('id', '=', sql<string>`any(${erased})`)
    .where(sql<boolean>`redact_kinds || redact_names || vocabulary <> '{}'`)
    .execute();
  await db
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, now())`, name: '' })
    .where(isErased)
    .where((eb) => eb.or([eb('revokedAt', 'is', null), eb('name', '<>', '')]))
    .execute();
  await db
    .updateTable('modelAccess')
    .set({ useCase: null })
    .where(isErased)
    .where('useCase', 'is not', null)
    .execute();
  for (const table of secretTables) await db.deleteFrom(table).where(isErased).execute();
}

const secretTables = ['webhookSecrets', 'sourceCredentials', 'quarantinedAudio'] as const;

type ExpiringTable = 'batches' | 'files';

/** Also a batch that has run for longer than it is kept: its end would keep it as long again. */
async function unexpired(
  db: Db,
  table: ExpiringTable,
  erased: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('organizationId', '=', sql<string>`any(${erased})`)
    .where('expiresAt', '>', sql<Date>`created_at`)
    .limit(stepRows)
    .execute();
  return rows.map(({ id }) => id);
}

async function expireNow(db: Db, table: ExpiringTable, ids: readonly string[]): Promise<void> {
  await db
    .with('locked', (query) =>
      query
        .selectFrom(table)
        .select('id')
        .where('id', '=', sql<string>`any(${ids})`)
        // In the order in which files are locked to be deleted.
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable(table)
    // A batch that ends later is kept for as long as lies between the two.
    .set({ expiresAt: sql<Date>`created_at` })
    .where('id', 'in', (query) => query.selectFrom('locked').select('id'))
    .execute();
}
