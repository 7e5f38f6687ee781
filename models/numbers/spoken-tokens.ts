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
    const whole = middle.toLowerCase();
    const article = elidedArticle(whole, language);
    const core = whole.slice(article.length);
    return {
      ...{ word, before: before + middle.slice(0, article.length), after, core },
      isCapital: core !== '' && !middle.slice(article.length).startsWith(core[0]!),
      numerals: /^["'“‘«(¿¡]*$/.test(before) ? numeralsOf(core, language) : [],
    };
  });
}

/** `l'` of `l'undici`; '' before other words. */
function elidedArticle(core: string, language: NumberLanguage): string {
  const article = language.elision?.exec(core)?.[0];
  if (article === undefined) return '';
  return numeralsOf(core.slice(article.length), language).length > 0 ? article : '';
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
