// What an organization's webhooks are signed with: sealed in its row, opened to sign.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { SecretBox } from './secret-box.ts';

const secretBytes = 32;
/** So long the secret before the newest signs too. */
const graceSeconds = 24 * 3_600;

/** Makes the secret, or a new one in its place. @returns `whsec_` and base64 */
export async function rotateWebhookSecret(
  db: Db,
  box: SecretBox,
  organizationId: string,
): Promise<string> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const sealed = box.seal(secret, organizationId);
  await db
    .insertInto('webhook_secrets')
    .values({ organization_id: organizationId, secret: sealed })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({
        secret: sealed,
        previous_secret: sql`webhook_secrets.secret`,
        created_at: sql`now()`,
      }),
    )
    .execute();
  return secret;
}

export async function hasWebhookSecret(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_secrets')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first; [] when the organization has made none. @throws SecretUnreadable */
export async function webhookSecrets(
  db: Db,
  box: SecretBox,
  organizationId: string,
): Promise<readonly string[]> {
  const row = await db
    .selectFrom('webhook_secrets')
    .select(['secret', 'previous_secret'])
    .select(sql<boolean>`created_at > now() - make_interval(secs => ${graceSeconds})`.as('inGrace'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!row) return [];
  const previous = row.inGrace && row.previous_secret ? [row.previous_secret] : [];
  return [row.secret, ...previous].map((stored) => box.open(stored, organizationId));
}

/**
 * Seals with the newest key what is in clear or under an older one; the version before cannot sign
 * with them any more. @returns how many rows were changed
 */
export async function sealWebhookSecrets(db: Db, box: SecretBox): Promise<number> {
  const rows = await db.selectFrom('webhook_secrets').selectAll().execute();
  let changed = 0;
  for (const { organization_id: id, secret, previous_secret: previous } of rows) {
    const seal = (stored: string) => box.seal(box.open(stored, id), id);
    if (box.isCurrent(secret) && (previous === null || box.isCurrent(previous))) continue;
    const { numUpdatedRows } = await db
      .updateTable('webhook_secrets')
      .set({ secret: seal(secret), previous_secret: previous === null ? null : seal(previous) })
      .where('organization_id', '=', id)
      // One that was rotated in between is sealed already.
      .where('secret', '=', secret)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}
