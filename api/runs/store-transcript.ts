// The text that a recording is read from, where its run finds it.
import type { Db } from '../../db/database.ts';
import { workPrefix } from '../../db/object-keys.ts';
import type { ObjectStore } from '../../db/object-store.ts';
import { registerObject } from '../../db/objects.ts';
import type { RequestRef } from '../../db/request-ref.ts';

/** Words never stand in a history: they lie among the run's objects, which the worker deletes. */
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
