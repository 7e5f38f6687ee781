// Ends open streams whose key was revoked or whose organization was suspended, by one query every
// few seconds.
import type { Db } from '../../db/database.ts';
import { endedKeys } from '../../db/account-status.ts';
import { revokedKeyFailure, suspendedFailure } from './protocols/protocol.ts';
import type { DrivenStream } from './drive.ts';

const intervalMs = 3_000;

/**
 * @param streams the open streams, with the key that opened each
 * @returns a function that stops it
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
      // A stream that was admitted before its key expired may finish.
      if (end === 'suspended') stream.fail(suspendedFailure);
      if (end === 'revoked') stream.fail(revokedKeyFailure);
    }
  };
  const timer = setInterval(() => {
    if (checking) return;
    checking = true;
    // A failure of the database is retried.
    check()
      .catch(() => {})
      .finally(() => {
        checking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
