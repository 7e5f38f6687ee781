// Stores the transcript that a recording was read from, for its workflow.
import type { Db } from '../../db/database.ts';
import { workPrefix } from '../../db/object-keys.ts';
import type { ObjectStore } from '../../db/object-store.ts';
import { registerObject } from '../../db/objects.ts';
import type { RequestRef } from '../../db/request-ref.ts';

/**
 * Histories never contain words, so the transcript is one of the run's objects.
 * @returns its key
 */
export async function storeTranscript(
  { db, objects }: { readonly db: Db; readonly objects: ObjectStore },
  ref: RequestRef,
  transcript: string | null,
): Promise<string | null> {
  if (!transcript) return null;
  const prefix = workPrefix(ref);
  await registerObject(db, { key: prefix, organizationId: ref.organizationId, kind: 'work' });
  const key = `${prefix}transcript.txt`;
  await objects.putBytes(key, transcript);
  return key;
}
