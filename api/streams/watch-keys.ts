// Open streams whose account may not go on: asked about every few seconds, all in one query.
import type { Db } from '../../db/database.ts';
import { endedKeys } from '../../db/account-status.ts';
import { revokedKeyFailure, suspendedFailure } from './protocols/protocol.ts';
import type { DrivenStream } from './drive.ts';

const intervalMs = 3_000;

/**
 * @param streams the open ones, with the key that opened each
 * @returns how to stop it
 */
export function watchKeys(
  db: Db,
  streams: ReadonlyMap<DrivenStream, { readonly keyId: string }>,
): () => void {
  let checking = false;
  const check = async (): Promise<void> => {
    const keyIds = new Set([...streams.values()].map(({ keyId }) => keyId));
    if (keyIds.size === 0) return;
    const ended = await endedKeys(db, [...keyIds]);
    for (const [stream, { keyId }] of streams) {
      const end = ended.get(keyId);
      // The stream of a key that has merely expired was let in, and is finished.
      if (end === 'suspended') stream.fail(suspendedFailure);
      if (end === 'revoked') stream.fail(revokedKeyFailure);
    }
  };
  const timer = setInterval(() => {
    if (checking) return;
    checking = true;
    // A database that is away is asked again.
    check()
      .catch(() => {})
      .finally(() => {
        checking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
