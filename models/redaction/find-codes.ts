// Numbers of documents and accounts with letters in them: "X1234567L", "QQ 12 34 56 C".
import { findingOf, type NumberFinding } from './classify.ts';
import type { Announcements } from './context.ts';
import { runOf } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { isOfOther } from './other-numbers.ts';
import { withSpelledLetters, type SpelledToken } from './spelled-letters.ts';
import type { Token } from './tokens.ts';

const least = { characters: 7, digits: 4 };
const maxCharacters = 20;

/**
 * What follows the announcement of an account, in letters and digits.
 * @param words of everybody, by start
 * @param tokens of one speaker, in order
 */
export function findCodes(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  announcedBefore: Announcements,
): readonly NumberFinding[] {
  const found: NumberFinding[] = [];
  const all = withSpelledLetters(tokens);
  for (let i = 0; i < all.length;) {
    const end = codeEnd(words, all, i);
    const own = all.slice(i, end);
    i = Math.max(end, i + 1);
    if (own.every(({ digits }) => digits !== null)) continue;
    const text = own.map(charactersOf).join('');
    const digits = text.replaceAll(/\D/g, '');
    const isLong = text.length >= least.characters && digits.length >= least.digits;
    if (!isLong || text.length > maxCharacters) continue;
    const run = { ...runOf(words, own, all), digits };
    const isAccount = announcedBefore(run.start)[0]?.[0] === 'account';
    if (isAccount && !isOfOther(words, run)) found.push(findingOf(run, ['account']));
  }
  return found;
}

/** Exclusive. */
function codeEnd(
  words: readonly ReadWord[],
  tokens: readonly SpelledToken[],
  from: number,
): number {
  let end = from;
  while (end < tokens.length && isPart(words, tokens, end)) {
    end += 1;
    if (/[.?!;:]$/.test(words[tokens[end - 1]!.last]!.word)) break;
  }
  return end;
}

function charactersOf({ text, digits }: Token): string {
  return digits ?? text.replaceAll(/[-.]/g, '');
}

function isPart(words: readonly ReadWord[], tokens: readonly SpelledToken[], i: number): boolean {
  const token = tokens[i]!;
  if (token.digits !== null || token.isSpelled || isMixed(token)) return true;
  const { word } = words[token.first]!;
  const isVowel = /^[aeiouy]$/.test(token.text);
  const isPiece = (at: number): boolean => /^[a-z0-9]$/.test(tokens[at]?.text ?? '');
  const isCapital = /^[A-Z]{1,3}[.,]?$/.test(word);
  if (isCapital && (!isVowel || (token.text !== 'i' && isPiece(i - 1)))) return true;
  const isLetter = (at: number): boolean => /^[a-z]$/.test(tokens[at]?.text ?? '');
  const beside = [i - 1, i + 1];
  // "I think" and "a" are words, beside another letter or within digits they are none.
  if (!isLetter(i)) return false;
  return (
    beside.some(isLetter) ||
    (isVowel ? beside.every((at) => isPiece(at) || at === tokens.length) : beside.some(isPiece))
  );
}

function isMixed(token: Token): boolean {
  const text = charactersOf(token);
  return /^[a-z0-9]+$/.test(text) && /\d/.test(text) && /[a-z]/.test(text);
}
