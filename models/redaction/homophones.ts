// Words that recognisers write for digits that sound alike: "For zero to one" is 4021.
import { isCardNumber, maxCardDigits } from './checks.ts';
import type { SpokenWord } from './kinds.ts';

interface ReadToken {
  readonly text: string;
  readonly digits: string | null;
  readonly first: number;
  readonly last: number;
}

const homophones: Readonly<Record<string, string>> = {
  ...{ for: '4', fore: '4', to: '2', too: '2', ate: '8', won: '1' },
};
/** In which they are. */
const language = 'en';
/** Of those that are said one by one; fewer are no number of a person, ... */
const minDigits = 5;
/** ... unless they are a sentence of such words: "For zero to two?". */
const ofSentence = { digits: 2, words: 4 };
/** Said right before a number. */
const announced = /^(?:is|it's|that's|number)$/;

/**
 * Tokens with the digits of words that stand among single digits.
 * @param tokens of one speaker, in order
 */
export function withHomophones<T extends ReadToken>(
  words: readonly SpokenWord[],
  tokens: readonly T[],
): readonly T[] {
  const said = tokens.map((token) => homophoneOf(words, token));
  const isDigit = (i: number): boolean => tokens[i] !== undefined && singleDigits(tokens[i]!) > 0;
  const read = [...tokens];
  for (const i of withinCards(tokens, said)) read[i] = { ...tokens[i]!, digits: said[i]! };
  for (let from = 0; from < tokens.length; from += 1) {
    if (!isDigit(from) && said[from] === null) continue;
    let end = from;
    while (end < tokens.length && (isDigit(end) || said[end] !== null)) end += 1;
    const all = Array.from({ length: end - from }, (_, i) => from + i);
    const count = all.reduce((sum, i) => sum + singleDigits(tokens[i]!), 0);
    const isSentence =
      count >= ofSentence.digits &&
      all.length >= ofSentence.words &&
      isStart(words, tokens, from) &&
      isEnd(words, tokens, end - 1);
    if (count >= minDigits || isSentence) {
      for (const i of all) {
        const isAfter = i > from + 1 || isStart(words, tokens, from);
        const isBefore = i + 2 < end || isEnd(words, tokens, end - 1);
        const digits = said[i] ?? null;
        if (digits !== null && isAfter && isBefore) read[i] = { ...tokens[i]!, digits };
      }
    }
    from = end;
  }
  return read;
}

/**
 * Those that make a card's number with the groups beside them: "is for 982 5979 1907 4830".
 * @param said digits of those that sound like one
 */
function withinCards(
  tokens: readonly ReadToken[],
  said: readonly (string | null)[],
): readonly number[] {
  const digitsAt = (i: number): string | null => tokens[i]?.digits ?? said[i] ?? null;
  const found: number[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    if (digitsAt(from) === null) continue;
    let digits = '';
    for (let at = from; digits.length < maxCardDigits && digitsAt(at) !== null; at += 1) {
      digits += digitsAt(at)!;
      const all = Array.from({ length: at - from + 1 }, (_, i) => from + i);
      const own = all.filter((i) => tokens[i]!.digits === null);
      if (own.length === 0 || !isCardNumber(digits)) continue;
      found.push(...own);
      from = at;
      break;
    }
  }
  return found;
}

/** How many a token says one by one, "5-2-6" three; 0 where it says any otherwise. */
function singleDigits({ text, digits }: ReadToken): number {
  if (digits === null) return 0;
  return digits.length === 1 || /^\d(?:[-–.,]\d)+$/.test(text) ? digits.length : 0;
}

function homophoneOf(words: readonly SpokenWord[], { text, first }: ReadToken): string | null {
  if (words[first]!.language !== language) return null;
  return Object.hasOwn(homophones, text) ? homophones[text]! : null;
}

/** Whether a sentence begins with a token, or what was announced. */
function isStart(words: readonly SpokenWord[], tokens: readonly ReadToken[], i: number): boolean {
  const before = tokens[i - 1];
  if (!before || before.last !== tokens[i]!.first - 1) return true;
  return /[.,?!;:]$/.test(words[before.last]!.word) || announced.test(before.text);
}

function isEnd(words: readonly SpokenWord[], tokens: readonly ReadToken[], i: number): boolean {
  const next = tokens[i + 1];
  if (!next || next.first !== tokens[i]!.last + 1) return true;
  return /[.,?!;:]$/.test(words[tokens[i]!.last]!.word);
}
