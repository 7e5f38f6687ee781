// The form field `vocabulary`, names and terms that recognition prefers; and the terms of `prompt`.
import { z } from 'zod';
import { modelsWithoutVocabulary, type BundlesInUse } from '../../models/bundles/catalog.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import {
  joinVocabularies,
  maxTermCharacters,
  maxTerms,
  minTermCharacters,
  problemOfTerms,
  termsOf,
  uniqueTerms,
} from '../../models/contract/vocabulary.ts';

/** @param take what the terms are taken from, in words for a caller */
function describe(take: string): string {
  return (
    `Names and terms as they are written, ${take}: at most ${maxTerms} of ${minTermCharacters} ` +
    `to ${maxTermCharacters} characters. Where a word sounds alike and the recogniser finds the ` +
    'term almost as likely, it is written instead.'
  );
}

/** @param name of the member that has the terms */
function requireTerms(name: string) {
  return (terms: readonly string[], context: z.RefinementCtx): void => {
    const problem = problemOfTerms(terms);
    if (problem) context.addIssue({ code: 'custom', message: `\`${name}\` ${problem}.` });
  };
}

export const vocabularyField = z
  .string()
  .transform(termsOf)
  .superRefine(requireTerms('vocabulary'))
  .optional()
  .meta({
    description: describe('separated by commas, semicolons or line breaks'),
    override: { type: 'string' },
  });

/** The same in JSON. */
export function termList(name: string) {
  const check = requireTerms(name);
  return z
    .array(z.string())
    .max(maxTerms)
    .superRefine((texts, context) => check(uniqueTerms(texts), context))
    .describe(describe('each as an item'));
}

/** Another repeatable field of OpenAI's clients: words and phrases to expect. */
export const keywordsName = 'keywords[]';

export const keywordsField = z
  .string()
  .transform((text) => uniqueTerms(text.split('\n')))
  .superRefine(requireTerms(keywordsName))
  .optional()
  .meta({
    description: describe('each as a value'),
    override: { type: 'array', items: { type: 'string' } },
  });

/** What OpenAI's clients say of the words to expect: of too many, the keywords come first. */
export interface ExpectedWords {
  readonly keywords?: readonly string[] | undefined;
  readonly prompt?: string | undefined;
}

export function expectedTerms({ keywords = [], prompt = '' }: ExpectedWords): readonly string[] {
  return joinVocabularies(keywords, termsOfPrompt(prompt));
}

/** A longer piece of a prompt is a sentence, of which only names are terms. */
const maxTermWords = 4;

/**
 * The terms of OpenAI's `prompt`: listed names and phrases, and the capitalised words inside of
 * sentences. As with OpenAI, the end counts where there are too many.
 */
function termsOfPrompt(prompt: string): readonly string[] {
  const pieces = prompt.split(/[,;:.!?\n\r]+/).map((piece) => piece.trim());
  const terms = pieces.flatMap((piece) => {
    const words = piece.split(/\s+/).filter((word) => word !== '');
    return words.length > maxTermWords ? namesOf(words) : [words.join(' ')];
  });
  const accepted = [...new Set(terms)].filter((term) => problemOfTerms([term]) === null);
  return accepted.slice(-maxTerms);
}

/** Neighbouring words with a capital inside of a sentence are one name. */
function namesOf(words: readonly string[]): readonly string[] {
  const names: string[][] = [];
  words.forEach((word, i) => {
    const isName = i > 0 ? /^\p{Lu}/u.test(word) : /^\p{Lu}.*\p{Lu}/u.test(word);
    if (!isName) names.push([]);
    else if (names.length === 0) names.push([word]);
    else names.at(-1)!.push(word);
  });
  return names.filter((name) => name.length > 0).map((name) => name.join(' '));
}

/** The analysis option of the terms. */
export function vocabularyOf(
  terms: readonly string[] | undefined,
): Pick<AnalysisOptions, 'vocabulary'> {
  const unique = uniqueTerms(terms ?? []);
  return unique.length > 0 ? { vocabulary: unique } : {};
}

/** @throws ServiceError vocabulary_unsupported */
export function requireVocabulary(
  { model, options }: { readonly model: ModelId; readonly options: AnalysisOptions },
  bundles: BundlesInUse,
  param: string,
): void {
  if (!options.vocabulary || !modelsWithoutVocabulary(bundles).has(model)) return;
  throw unsupportedVocabulary(model, param);
}

export function unsupportedVocabulary(model: ModelId, param: string): ServiceError {
  const message =
    `\`${param}\` cannot be honoured: this installation recognises ${model} by a transducer, ` +
    'which takes no vocabulary. Leave it out.';
  return new ServiceError('vocabulary_unsupported', message, { param });
}
