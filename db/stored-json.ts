// Documents stored as JSON, whose version tells whether this release can read them.
import type { ObjectStore } from './objects/object-store.ts';

/** A kind of stored document. */
export interface DocumentFormat<T> {
  /** Used in errors: `result`, `plan`. */
  readonly name: string;
  /** The version that is written and read; documents without one are of version 1. */
  readonly version: number;
  /** Throws when a document does not have this shape. */
  readonly check: (document: unknown) => T;
}

/** A stored document that this release cannot read: written by another release, or damaged. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** Returns the document once its version and shape are checked. @throws UnreadableDocument */
export function checkDocument<T>({ name, version, check }: DocumentFormat<T>, given: unknown): T {
  const { version: found = 1 } = (given ?? {}) as { readonly version?: unknown };
  if (found !== version) {
    const got = String(found).slice(0, 16);
    throw new UnreadableDocument(`a stored ${name} is of version ${got}, not ${version}`);
  }
  try {
    return check(given);
  } catch (cause) {
    throw new UnreadableDocument(`a stored ${name} has not the shape of version ${version}`, {
      cause,
    });
  }
}

/** @param json text in UTF-8. @throws UnreadableDocument */
export function readDocument<T>(format: DocumentFormat<T>, json: Uint8Array | string): T {
  const text = typeof json === 'string' ? json : Buffer.from(json).toString();
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new UnreadableDocument(`a stored ${format.name} is no JSON`, { cause });
  }
  return checkDocument(format, given);
}

/** JSON of the document and the version of its format, as `readDocument` expects it. */
export function writeDocument<T extends object>(format: DocumentFormat<T>, document: T): string {
  return JSON.stringify({ version: format.version, ...document });
}

/** The pairs that a caller attached to a batch or an item. @throws UnreadableDocument */
export function readMetadata(json: string): Record<string, string> {
  const given: unknown = JSON.parse(json);
  const isPairs = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (isPairs && Object.values(given).every((value) => typeof value === 'string')) {
    return given as Record<string, string>;
  }
  throw new UnreadableDocument('stored metadata are not pairs of text');
}

type Objects = Pick<ObjectStore, 'getBytes' | 'putBytes'>;

/** @throws UnreadableDocument, ObjectMissing */
export async function getJson<T>(
  objects: Pick<Objects, 'getBytes'>,
  key: string,
  format: DocumentFormat<T>,
): Promise<T> {
  return readDocument(format, await objects.getBytes(key));
}

export function putJson<T extends object>(
  objects: Pick<Objects, 'putBytes'>,
  key: string,
  format: DocumentFormat<T>,
  document: T,
): Promise<void> {
  return objects.putBytes(key, writeDocument(format, document));
}
