// What opens the addresses of an organization's recordings: sealed in its rows, opened to fetch.
import type { SourceCredential, SourceSecret } from '../models/contract/source.ts';
import { NotFound } from './api-keys.ts';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';
import { sealEach, type SecretBox } from './secret-box.ts';

interface Change {
  readonly organizationId: string;
  readonly actor: string;
}

/** Adds a credential, or replaces that of the same prefix. */
export function setSourceCredential(
  db: Db,
  box: SecretBox,
  { organizationId, actor, prefix, secret }: Change & SourceCredential,
): Promise<void> {
  const { kind } = secret;
  const sealed = box.seal(JSON.stringify(secret), ownerOf(organizationId, prefix));
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('sourceCredentials')
      .values({ organizationId, prefix, kind, secret: sealed })
      .onConflict((conflict) =>
        conflict.columns(['organizationId', 'prefix']).doUpdateSet({ kind, secret: sealed }),
      )
      .execute();
    const details = { prefix, kind };
    await writeAudit(trx, { organizationId, actor, action: 'source.set', details });
  });
}

/** @throws NotFound */
export function removeSourceCredential(
  db: Db,
  { organizationId, actor, prefix }: Change & Pick<SourceCredential, 'prefix'>,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('sourceCredentials')
      .where('organizationId', '=', organizationId)
      .where('prefix', '=', prefix)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFound(`there are no credentials for ${prefix}`);
    const details = { prefix };
    await writeAudit(trx, { organizationId, actor, action: 'source.remove', details });
  });
}

export interface DescribedSource {
  readonly prefix: string;
  readonly kind: SourceSecret['kind'];
  readonly createdAt: Date;
}

/** Without the secrets. */
export async function listSourceCredentials(
  db: Db,
  organizationId: string,
): Promise<readonly DescribedSource[]> {
  return db
    .selectFrom('sourceCredentials')
    .select(['prefix', 'kind', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .orderBy('prefix')
    .execute();
}

/** @param box null where the service has no key to open them with @throws SecretUnreadable */
export async function sourceCredentials(
  db: Db,
  box: SecretBox | null,
  organizationId: string,
): Promise<readonly SourceCredential[]> {
  const rows = await db
    .selectFrom('sourceCredentials')
    .select(['prefix', 'secret'])
    .where('organizationId', '=', organizationId)
    .execute();
  if (rows.length > 0 && !box) throw new Error('SVC_SECRETS_KEY is not set');
  return rows.map(({ prefix, secret }) => {
    const opened = box!.open(secret, ownerOf(organizationId, prefix));
    return { prefix, secret: JSON.parse(opened) as SourceSecret };
  });
}

/**
 * Seals those under an older key with the newest one.
 * @returns how many rows were changed @throws SecretsKept
 */
export async function sealSourceCredentials(db: Db, box: SecretBox): Promise<number> {
  const rows = await db.selectFrom('sourceCredentials').selectAll().execute();
  return sealEach(
    rows.filter(({ secret }) => !box.isCurrent(secret)),
    async ({ organizationId, prefix, secret }) => {
      const owner = ownerOf(organizationId, prefix);
      const { numUpdatedRows } = await db
        .updateTable('sourceCredentials')
        .set({ secret: box.seal(box.open(secret, owner), owner) })
        .where('organizationId', '=', organizationId)
        .where('prefix', '=', prefix)
        .where('secret', '=', secret)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    ({ organizationId, prefix }) => `credentials of ${organizationId} for ${prefix}`,
  );
}

/** A sealed secret can be opened for its own prefix alone. */
function ownerOf(organizationId: string, prefix: string): string {
  return `${organizationId} ${prefix}`;
}
