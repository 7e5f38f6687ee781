// The redaction of a request, in which names are hashes.
import type { AnalysisOptions, RecordingRequest } from '../contract/recording-request.ts';
import type { Redaction } from '../contract/redaction.ts';
import { stepsOf } from '../contract/served-models.ts';
import { nameHashes } from './name-hash.ts';

/** Empty when nothing is to be removed; the order and repetitions of lists do not matter. */
export function redactionOf({
  kinds = [],
  names = [],
}: {
  readonly kinds?: Redaction['kinds'] | undefined;
  readonly names?: readonly string[] | undefined;
}): { readonly redact?: Redaction } {
  const hashes = names.flatMap(nameHashes);
  if (kinds.length === 0 && hashes.length === 0) return {};
  return { redact: { kinds: unique(kinds), names: unique(hashes) } };
}

/**
 * The options of a request with what its organization removes: a request may add to that, but not
 * take away. Tasks without text have nothing to remove.
 */
export function withRedaction(
  request: Pick<RecordingRequest, 'task' | 'model' | 'options'>,
  organization: Redaction | null,
): AnalysisOptions {
  const { options } = request;
  const { words, text } = stepsOf(request);
  if (organization === null || !(words || text)) return options;
  return { ...options, redact: joinRedactions(options.redact ?? null, organization) };
}

/** What either removes. */
function joinRedactions(one: Redaction | null, other: Redaction): Redaction {
  return {
    kinds: unique([...(one?.kinds ?? []), ...other.kinds]),
    names: unique([...(one?.names ?? []), ...other.names]),
  };
}

/** Sorted, each once. */
function unique<T extends string>(all: readonly T[]): readonly T[] {
  return [...new Set(all)].toSorted((a, b) => (a < b ? -1 : 1));
}
