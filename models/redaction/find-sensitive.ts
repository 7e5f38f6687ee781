// All that is to be redacted in a conversation.
import { readLanguages } from './acting-languages.ts';
import type { NumberFinding } from './classify.ts';
import { announcementsIn } from './context.ts';
import { findEmails } from './find-emails.ts';
import { findNames } from './find-names.ts';
import { findSensitiveNumbers } from './find-numbers.ts';
import type { Redaction } from '../contract/redaction.ts';
import type { Finding, ReadWord, SpokenWord } from './kinds.ts';
import { tokensOf } from './tokens.ts';

/** Shorter ones are words of another language by chance: "once", "due". */
const minForeignDigits = 7;

export interface SearchOptions {
  /** ISO 639-1 codes of languages in which long numbers are looked for besides. */
  readonly others?: readonly string[];
  /** More will be said: digits at the end may be the beginning of a number. */
  readonly isOpen?: boolean;
}

/**
 * Findings that do not overlap, in the order of their first words.
 * @param words of everybody, by start
 */
export function findSensitive(
  words: readonly SpokenWord[],
  { kinds, names }: Redaction,
  { others = [], isOpen = false }: SearchOptions = {},
): readonly Finding[] {
  const speakers = [...Map.groupBy(words.keys(), (index) => words[index]!.speaker).values()];
  /** Also those in languages that the words are not said to be in. */
  const allNumbers = (): readonly NumberFinding[] => {
    const { words: spoken, heard } = readLanguages(words);
    const announcedBefore = announcementsIn(spoken);
    const numbersOf = (own: readonly ReadWord[]): readonly NumberFinding[] => {
      const tokens = speakers.map((indexes) => tokensOf(own, indexes));
      return findSensitiveNumbers(own, tokens, { announcedBefore, isOpen });
    };
    const foreign = [...new Set([...others, ...heard])]
      .flatMap((language) => numbersOf(spoken.map((word) => ({ ...word, language }))))
      .filter(({ digits }) => digits.length >= minForeignDigits);
    return [...numbersOf(spoken), ...foreign];
  };
  const numbers = kinds.some((kind) => kind !== 'email') ? allNumbers() : [];
  const findings: Finding[] = [
    ...numbers.flatMap(({ kinds: all, first, last }) => {
      const kind = all.find((each) => kinds.includes(each));
      return kind === undefined ? [] : [{ kind, words: between(first.first, last.last) }];
    }),
    ...speakers.flatMap((indexes) => [
      ...findEmails(words, indexes).map((found) => ({ kind: 'email', words: found }) as const),
      ...findNames(words, indexes, names).map((found) => ({ kind: 'name', words: found }) as const),
    ]),
  ].filter(({ kind }) => kind === 'name' || kinds.includes(kind));
  // Small words between the digits go with them; those of the other speaker do not.
  function between(first: number, last: number): readonly number[] {
    const own = speakers.find((indexes) => indexes.includes(first))!;
    return own.slice(own.indexOf(first), own.indexOf(last) + 1);
  }
  return withoutOverlaps(findings).toSorted((a, b) => a.words[0]! - b.words[0]!);
}

/** Longer findings whole; of those that overlap them what is left of their words. */
function withoutOverlaps(findings: readonly Finding[]): readonly Finding[] {
  const taken = new Set<number>();
  return findings
    .toSorted((a, b) => b.words.length - a.words.length)
    .flatMap(({ kind, words }) => {
      const parts: number[][] = [];
      for (const [i, index] of words.entries()) {
        if (taken.has(index)) continue;
        if (i > 0 && parts.at(-1)?.at(-1) === words[i - 1]) parts.at(-1)!.push(index);
        else parts.push([index]);
      }
      for (const index of words) taken.add(index);
      return parts.map((own) => ({ kind, words: own }));
    });
}
