// Stores texts of a request for its workflow: the transcript of a reading, and its vocabulary.
import { workPrefix } from '../../db/object-keys.ts';
import { registerObject } from '../../db/object-rows.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import type { ObjectStores, OwnedObjects } from '../upload/owned-objects.ts';

interface Stores extends ObjectStores {
  /** Owns the prefix of the run's objects from then on. */
  readonly owner: OwnedObjects;
}

/**
 * Histories never contain words, so the transcript is one of the run's objects.
 * @returns its key
 */
export async function storeTranscript(
  stores: Stores,
  ref: RequestRef,
  transcript: string | null,
): Promise<string | null> {
  return transcript ? storeText(stores, ref, { name: 'transcript.txt', text: transcript }) : null;
}

/** The same for the terms of a vocabulary, a line each. */
export async function storeVocabulary(
  stores: Stores,
  ref: RequestRef,
  terms: readonly string[],
): Promise<string | null> {
  if (terms.length === 0) return null;
  return storeText(stores, ref, { name: 'vocabulary.txt', text: terms.join('\n') });
}

async function storeText(
  { db, objects, owner }: Stores,
  ref: RequestRef,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string> {
  const prefix = workPrefix(ref);
  owner.own(prefix);
  await registerObject(db, { key: prefix, organizationId: ref.organizationId, kind: 'work' });
  const key = `${prefix}${name}`;
  await objects.putBytes(key, text);
  return key;
}
