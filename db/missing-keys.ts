// Which keys the secrets of the database are sealed with that a process does not have.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { SecretBox } from './secret-box.ts';

/** As `SecretBox.seal` writes it. */
const idPattern = '^sealed:1:([0-9a-f]{8}):';

/**
 * The ids of keys without which some secrets of webhooks or credentials of sources cannot be read.
 * @param box null without a key
 */
export async function missingKeys(db: Db, box: SecretBox | null): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct substring(secret from ${idPattern}) as id
    from (
      select secret from webhook_secrets
      union all select previous_secret from webhook_secrets
      union all select secret from source_credentials
    ) as sealed
    where secret ~ ${idPattern}
    order by id`.execute(db);
  return rows.map(({ id }) => id).filter((id) => !box?.hasKey(id));
}

/** What to do about them, as a sentence. */
export function describeMissing(ids: readonly string[]): string {
  return (
    `SVC_SECRETS_KEY does not contain ${ids.length === 1 ? 'the key' : 'the keys'} ` +
    `${ids.join(', ')}: secrets of webhooks or credentials of sources cannot be read; add it ` +
    'after a comma, or create those secrets anew'
  );
}
