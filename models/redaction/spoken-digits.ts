// The digits that spoken numbers stand for where somebody says a number digit by digit, in pairs or
// in hundreds.
import { numeralsOf } from '../numbers/languages.ts';
import type { NumeralLanguage } from '../numbers/number-language.ts';
import { parseNumber, type Part } from '../numbers/numeral-grammar.ts';

/** Words that are a one in a count and an article in all other places. */
const articles: ReadonlySet<string> = new Set(['eine', 'einen', 'einer', 'einem', 'a']);
/** Nobody says longer groups of such a number in one. */
const maxGroup = 9_999;
/** `o` is a letter unless it is a digit. */
const letterZero = 'o';
/** In which it is an article, or "or". */
const languagesWithO: ReadonlySet<string> = new Set(['es', 'it', 'pt']);

export interface SpokenDigits {
  readonly digits: string;
  /** Words that say them. */
  readonly count: number;
}

/**
 * The longest number that begins with the first word, below 10,000.
 * @param words in lower case, without marks, up to the end of a clause
 * @param language ISO 639-1 code
 */
export function spokenDigits(words: readonly string[], language: string): SpokenDigits | null {
  const [first] = words;
  if (first === letterZero && !languagesWithO.has(language)) return { digits: '0', count: 1 };
  const numerals = numeralsOf(language);
  const parts: Part[] = [];
  for (const [token, word] of words.entries()) {
    const own = articles.has(word) ? [null] : word.split('-').map(numerals.read);
    if (own.includes(null) || own.some((each) => each?.some(({ ordinal }) => ordinal))) break;
    parts.push(...own.flatMap((each) => each ?? []).map((numeral) => ({ ...numeral, token })));
  }
  return parts.length === 0 ? null : digitsOf(parts, numerals);
}

function digitsOf(parts: readonly Part[], numerals: NumeralLanguage): SpokenDigits | null {
  const parsed = parseNumber(parts, 0, numerals);
  if (!parsed || parsed.isBare || parsed.value > maxGroup) return null;
  const last = parts[parsed.next - 1]!.token;
  if (parts[parsed.next]?.token !== last) return { digits: `${parsed.value}`, count: last + 1 };
  // A number ends with a word: "quarante quatre-vingt-six" is 40 86, not 44 and a rest.
  const end = parts.at(-1)!.token;
  const before = parts.filter(({ token }) => token < end);
  return before.length === 0 ? null : digitsOf(before, numerals);
}

/** `double-oh` in one word; null for another one. */
export function repeatedDigits(word: string, language: string): string | null {
  const [, name = '', rest = ''] = /^(\p{L}+)-(.+)$/su.exec(word) ?? [];
  const { repeats } = numeralsOf(language);
  if (!Object.hasOwn(repeats, name)) return null;
  const said = spokenDigits([rest], language)?.digits;
  return said?.length === 1 ? said.repeat(repeats[name]!) : null;
}

/** `two-nine-four`: digits that are said in one breath; null for other words. */
export function hyphenatedDigits(word: string, language: string): string | null {
  const parts = word.split('-');
  const digits = parts.map((part) => (part === '' ? null : spokenDigits([part], language)?.digits));
  if (parts.length < 2 || digits.some((each) => each?.length !== 1)) return null;
  return digits.join('');
}
