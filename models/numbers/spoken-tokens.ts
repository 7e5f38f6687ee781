// The words of a sentence with their marks apart, and the parts of numbers in them.
import type { Numeral, NumberLanguage } from './number-language.ts';

export interface SpokenToken {
  /** As it was written, marks included. */
  readonly word: string;
  /** Marks before and after the word. */
  readonly before: string;
  readonly after: string;
  /** Without them, in lower case. */
  readonly core: string;
  readonly isCapital: boolean;
  /** Not empty when the whole word is a number or `and`. */
  readonly numerals: readonly Numeral[];
}

export function toTokens(
  words: readonly string[],
  language: NumberLanguage,
): readonly SpokenToken[] {
  return words.map((word) => {
    const [, before = '', middle = '', after = ''] =
      /^([^\p{L}\p{N}]*)(.*[\p{L}\p{N}])?(.*)$/su.exec(word) ?? [];
    const core = middle.toLowerCase();
    return {
      ...{ word, before, after, core },
      isCapital: core !== '' && !middle.startsWith(core[0]!),
      numerals: /^["'“‘«(¿¡]*$/.test(before) ? numeralsOf(core, language) : [],
    };
  });
}

function numeralsOf(core: string, { read }: NumberLanguage): readonly Numeral[] {
  const parts = core.split('-').map(read);
  return parts.includes(null) ? [] : parts.flatMap((part) => part ?? []);
}

/** Whether the words from a token on are these, and nothing stands between them. */
export function areWords(
  tokens: readonly SpokenToken[],
  from: number,
  words: readonly string[],
): boolean {
  return words.every((word, i) => {
    const token = tokens[from + i];
    return token?.core === word && (i === words.length - 1 || token.after === '');
  });
}
