// The terms that a client of a stream prefers: only the subprotocols with interim text know them;
// pure.
import type { ModelId } from '../../../models/contract/catalog.ts';
import { problemOfTerms, uniqueTerms } from '../../../models/contract/vocabulary.ts';
import { unsupportedVocabulary } from '../../fields/vocabulary.ts';
import { closeCodes, type StreamFailure } from './protocol.ts';

/** `unknown` to the protocol, `taken`, or `refused` by what recognises the model. */
export type VocabularyRule = 'unknown' | 'taken' | 'refused';

export interface VocabularyContext {
  readonly model: ModelId;
  readonly rule: VocabularyRule;
}

/** @param param the member that has the terms */
export function readStreamTerms(
  value: unknown,
  { model, rule }: VocabularyContext,
  param: string,
): readonly string[] | StreamFailure {
  const close = closeCodes.policy;
  const texts: readonly unknown[] | null = Array.isArray(value) ? value : null;
  if (!texts?.every((text) => typeof text === 'string')) {
    const message = `\`${param}\` must be a list of strings.`;
    return { code: 'invalid_field', message, param, close };
  }
  const terms = uniqueTerms(texts);
  const problem = problemOfTerms(terms);
  if (problem) return { code: 'invalid_field', message: `\`${param}\` ${problem}.`, param, close };
  if (rule === 'taken' || terms.length === 0) return terms;
  const { code, message } = unsupportedVocabulary(model, param);
  return { code, message, param, close };
}

export function isFailure(read: readonly string[] | StreamFailure): read is StreamFailure {
  return !Array.isArray(read);
}
