// The redaction of a request, in which names are hashes.
import type { Redaction } from '../contract/redaction.ts';
import { nameHash } from './name-hash.ts';

/** Empty when nothing is to be removed; the order and repetitions of lists do not matter. */
export function redactionOf({
  kinds = [],
  names = [],
}: {
  readonly kinds?: Redaction['kinds'] | undefined;
  readonly names?: readonly string[] | undefined;
}): { readonly redact?: Redaction } {
  const hashes = names.flatMap((name) => nameHash(name) ?? []);
  if (kinds.length === 0 && hashes.length === 0) return {};
  return { redact: { kinds: unique(kinds), names: unique(hashes) } };
}

/** Sorted, each once. */
function unique<T extends string>(all: readonly T[]): readonly T[] {
  return [...new Set(all)].toSorted((a, b) => (a < b ? -1 : 1));
}
