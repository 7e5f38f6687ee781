// What an organization's webhooks are signed with.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';

const secretBytes = 32;
/** So long the secret before the newest signs too. */
const graceSeconds = 24 * 3_600;

/** Makes the secret, or a new one in its place. @returns `whsec_` and base64 */
export async function rotateWebhookSecret(db: Db, organizationId: string): Promise<string> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  await db
    .insertInto('webhook_secrets')
    .values({ organization_id: organizationId, secret })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({
        secret,
        previous_secret: sql`webhook_secrets.secret`,
        created_at: sql`now()`,
      }),
    )
    .execute();
  return secret;
}

/** Newest first; [] when the organization has made none. */
export async function webhookSecrets(db: Db, organizationId: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('webhook_secrets')
    .select(['secret', 'previous_secret'])
    .select(sql<boolean>`created_at > now() - make_interval(secs => ${graceSeconds})`.as('inGrace'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!row) return [];
  return row.inGrace && row.previous_secret ? [row.secret, row.previous_secret] : [row.secret];
}
