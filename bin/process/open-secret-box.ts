// The keys of a process, which says which secrets they cannot open before a delivery fails by it.
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { describeMissing, missingKeys } from '../../db/missing-keys.ts';
import { createSecretBox, type SecretBox } from '../../db/secret-box.ts';

/**
 * Looks once what the database has; one that does not answer is what readiness tells of.
 * @returns null without a key
 */
export function openSecretBox(
  db: Db,
  keys: string | undefined,
  logger: Pick<Logger, 'warn'>,
): SecretBox | null {
  const box = keys ? createSecretBox(keys) : null;
  missingKeys(db, box).then(
    (missing) => {
      if (missing.length > 0) logger.warn(describeMissing(missing));
    },
    () => {},
  );
  return box;
}
