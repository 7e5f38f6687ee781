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
    .insertInto('webhookSecrets')
    .values({ organizationId, secret: sealed })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet({
        secret: sealed,
        previousSecret: sql`webhook_secrets.secret`,
        createdAt: sql`now()`,
      }),
    )
    .execute();
  return secret;
}

export async function hasWebhookSecret(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhookSecrets')
    .select('organizationId')
    .where('organizationId', '=', organizationId)
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
    .selectFrom('webhookSecrets')
    .select(['secret', 'previousSecret'])
    .select(sql<boolean>`created_at > now() - make_interval(secs => ${graceSeconds})`.as('inGrace'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  if (!row) return [];
  const previous = row.inGrace && row.previousSecret ? [row.previousSecret] : [];
  return [row.secret, ...previous].map((stored) => box.open(stored, organizationId));
}

/**
 * Seals with the newest key what is in clear or under an older one; the version before cannot sign
 * with them any more. @returns how many rows were changed
 */
export async function sealWebhookSecrets(db: Db, box: SecretBox): Promise<number> {
  const rows = await db.selectFrom('webhookSecrets').selectAll().execute();
  let changed = 0;
  for (const { organizationId: id, secret, previousSecret: previous } of rows) {
    const seal = (stored: string) => box.seal(box.open(stored, id), id);
    if (box.isCurrent(secret) && (previous === null || box.isCurrent(previous))) continue;
    const { numUpdatedRows } = await db
      .updateTable('webhookSecrets')
      .set({ secret: seal(secret), previousSecret: previous === null ? null : seal(previous) })
      .where('organizationId', '=', id)
      // One that was rotated in between is sealed already.
      .where('secret', '=', secret)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}
