// IBANs as they are spelled: "D E eight nine …", known by their check digits, or by their length
// where an account was announced.
import { ibanLength, isIban } from './checks.ts';
import type { NumberFinding } from './classify.ts';
import type { Announcements } from './context.ts';
import type { ReadWord } from './kinds.ts';
import type { Token } from './tokens.ts';

/**
 * @param words of everybody, by start
 * @param tokens of one speaker, in order
 */
export function findIbans(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  announcedBefore: Announcements,
): readonly NumberFinding[] {
  const found: NumberFinding[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const country = startOfIban(tokens, i);
    // "es E S": the word before the letters is none of them.
    const isWord = tokens[i]!.text.length > 1 && startOfIban(tokens, i + 1) !== null;
    if (country === null || isWord) continue;
    const length = ibanLength(country);
    let text = '';
    for (let j = i; j < tokens.length && length !== null && text.length < length; j += 1) {
      const part = alphanumeric(tokens[j]!) ?? bankCode(tokens[j]!, text);
      if (part === null) break;
      text += part;
      const isAnnounced = (): boolean =>
        text.length === length &&
        announcedBefore(words[tokens[i]!.first]!.start)[0]?.[0] === 'account';
      if (isIban(text) || isAnnounced()) {
        const digits = text.replaceAll(/\D/g, '');
        found.push({ kinds: ['account'], digits, first: tokens[i]!, last: tokens[j]! });
        i = j;
        break;
      }
    }
  }
  return found;
}

/** Four letters after the check digits, as in Britain and the Netherlands. */
function bankCode({ text }: Token, before: string): string | null {
  return /^[A-Z]{2}\d\d$/.test(before) && /^[a-z]{4}$/.test(text) ? text.toUpperCase() : null;
}

/** The country that a token, or two letters in a row, name. */
function startOfIban(tokens: readonly Token[], i: number): string | null {
  const two = (alphanumeric(tokens[i]) ?? '') + (alphanumeric(tokens[i + 1]!) ?? '');
  const country = /^[A-Z]{2}/.exec(two)?.[0] ?? '';
  return ibanLength(country) === null ? null : country;
}

/** Letters as they are spelled, digits, or both; null for a word. */
function alphanumeric(token: Token | undefined): string | null {
  if (!token) return null;
  if (token.digits !== null) return token.digits;
  const text = token.text.toUpperCase();
  const isCode = /^[A-Z0-9]+$/.test(text) && (text.length <= 2 || /\d/.test(text));
  return isCode ? text : null;
}
