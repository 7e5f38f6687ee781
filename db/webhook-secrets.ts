// The secrets that sign an organization's webhooks: sealed in its row, opened to sign.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { writeAudit, type AuditEntry } from './audit.ts';
import type { Db } from './database.ts';
import { sealEach, type SecretBox } from './secret-box.ts';

const secretBytes = 32;
/** After a rotation the previous secret also signs for this long. */
const graceSeconds = 24 * 3_600;

/** Creates the secret or rotates it. @returns `whsec_` and base64 */
export function rotateWebhookSecret(
  db: Db,
  box: SecretBox,
  { organizationId, actor }: Pick<AuditEntry, 'organizationId' | 'actor'>,
): Promise<string> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const sealed = box.seal(secret, organizationId);
  return db.transaction().execute(async (trx) => {
    await trx
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
    const action = 'webhook-secret.rotate';
    await writeAudit(trx, { organizationId, actor, action, details: {} });
    return secret;
  });
}

export async function hasWebhookSecret(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhookSecrets')
    .select('organizationId')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first; [] when the organization has none. @throws SecretUnreadable */
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
 * Seals secrets that are in clear or under an older key with the newest one; an earlier version of
 * the service cannot open them any more.
 * @returns how many rows were changed @throws SecretsKept
 */
export async function sealWebhookSecrets(db: Db, box: SecretBox): Promise<number> {
  const rows = await db.selectFrom('webhookSecrets').selectAll().execute();
  const stale = rows.filter(
    ({ secret, previousSecret: previous }) =>
      !box.isCurrent(secret) || (previous !== null && !box.isCurrent(previous)),
  );
  return sealEach(
    stale,
    async ({ organizationId: id, secret, previousSecret: previous }) => {
      const seal = (stored: string) => box.seal(box.open(stored, id), id);
      const { numUpdatedRows } = await db
        .updateTable('webhookSecrets')
        .set({ secret: seal(secret), previousSecret: previous === null ? null : seal(previous) })
        .where('organizationId', '=', id)
        // A secret that was rotated meanwhile is sealed already.
        .where('secret', '=', secret)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    ({ organizationId }) => `webhook secret of ${organizationId}`,
  );
}
