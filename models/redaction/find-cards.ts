// Numbers of cards within a run of digits, the longest first; pure.
import { isCardNumber, maxCardDigits } from './checks.ts';
import type { Token } from './tokens.ts';

export interface FoundCard {
  /** Of the number alone. */
  readonly digits: string;
  /** With what may not stay beside it. */
  readonly tokens: readonly Token[];
}

export interface CardsOfRun {
  readonly found: readonly FoundCard[];
  /** What is left of the run. */
  readonly rest: readonly (readonly Token[])[];
}

/**
 * Of numbers that overlap the longer one counts, of equal ones the first.
 * @param tokens with digits, in order
 */
export function findCards(tokens: readonly Token[]): CardsOfRun {
  const found: FoundCard[] = [];
  const isTaken = tokens.map(() => false);
  for (const { from, to, digits } of cardsIn(tokens)) {
    if (isTaken.slice(from, to).includes(true)) continue;
    const first = shortSide(tokens, isTaken, { at: from - 1, step: -1 }) + 1;
    const end = shortSide(tokens, isTaken, { at: to, step: 1 });
    isTaken.fill(true, first, end);
    found.push({ digits, tokens: tokens.slice(first, end) });
  }
  const rest: Token[][] = [];
  for (const [i, token] of tokens.entries()) {
    if (isTaken[i]) continue;
    if (i > 0 && !isTaken[i - 1]) rest.at(-1)!.push(token);
    else rest.push([token]);
  }
  return { found, rest };
}

interface Place {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly digits: string;
}

/** Whatever passes as a card's number, most tokens first, of equal ones the first. */
function cardsIn(tokens: readonly Token[]): readonly Place[] {
  const places: Place[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let digits = '';
    for (let to = from + 1; to <= tokens.length; to += 1) {
      digits += tokens[to - 1]!.digits!;
      if (digits.length > maxCardDigits) break;
      if (isCardNumber(digits)) places.push({ from, to, digits });
    }
  }
  return places.toSorted((a, b) => b.to - b.from - (a.to - a.from));
}

const maxShortDigits = 4;

/**
 * A shorter number that happens to pass, or the security code, may not stay beside a card's.
 * @returns where the run ends on a side when few digits are left there; else where it began
 */
function shortSide(
  tokens: readonly Token[],
  isTaken: readonly boolean[],
  { at, step }: { readonly at: number; readonly step: 1 | -1 },
): number {
  let digits = 0;
  for (let i = at; ; i += step) {
    if (isTaken[i] ?? true) return i;
    digits += tokens[i]!.digits!.length;
    if (digits > maxShortDigits) return at;
  }
}
