// Card, account and telephone numbers in what is said, by form, check digits and announcement.
import { ibanLength, isCardNumber, isIban, isPhoneNumber, maxCardDigits } from './checks.ts';
import { announcementsIn, type Announcement, type Announcements } from './context.ts';
import { digitRuns, runOf, type DigitRun } from './digit-runs.ts';
import { endingOf, isOfOther } from './endings.ts';
import { findCards } from './find-cards.ts';
import type { RedactionKind } from '../contract/redaction.ts';
import type { SpokenWord } from './kinds.ts';
import { interruptedNumbers } from './interrupted.ts';
import { splitCards } from './split-cards.ts';
import type { Token } from './tokens.ts';

export interface NumberFinding {
  readonly kind: Extract<RedactionKind, 'card' | 'account' | 'phone'>;
  readonly digits: string;
  readonly first: Token;
  readonly last: Token;
}

/**
 * @param words of everybody, by start
 * @param tokens of each speaker, in order
 */
export function findNumbers(
  words: readonly SpokenWord[],
  tokens: readonly (readonly Token[])[],
): readonly NumberFinding[] {
  const found: NumberFinding[] = [];
  const rest: DigitRun[] = [];
  const announcedBefore = announcementsIn(words);
  for (const own of tokens) {
    const ibans = findIbans(words, own, announcedBefore);
    found.push(...ibans);
    const isTaken = (token: Token): boolean =>
      ibans.some(({ first, last }) => token.first >= first.first && token.last <= last.last);
    const free = own.map((token) =>
      isTaken(token) ? { ...token, digits: null, text: '' } : token,
    );
    const runs = digitRuns(words, free);
    const split = splitCards(words, runs);
    const interrupted = interruptedNumbers(words, runs, (run) => {
      if (isOfOther(words, run)) return null;
      return classify(run, announcedBefore(run.start))?.kind ?? null;
    });
    for (const run of runs) {
      const kind = split.has(run) ? 'card' : interrupted.get(run);
      if (kind) {
        found.push(findingOf(run, kind));
        continue;
      }
      if (isOfOther(words, run) && !isCardNumber(run.digits)) {
        rest.push(run);
        continue;
      }
      const cards = findCards(run.tokens);
      for (const { digits, tokens: all } of cards.found)
        found.push({ kind: 'card', digits, first: all[0]!, last: all.at(-1)! });
      for (const left of cards.rest) {
        const part = cards.found.length === 0 ? run : runOf(words, left, own);
        const announced = announcedBefore(part.start);
        const finding = endingFinding(words, part, announced) ?? classify(part, announced);
        if (finding) found.push(finding);
        else rest.push(part);
      }
    }
  }
  return [...found, ...echoes(rest, found)];
}

/** "D E eight nine …": letters and digits that make an account number with its check digits. */
function findIbans(
  words: readonly SpokenWord[],
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
        text.length === length && announcedBefore(words[tokens[i]!.first]!.start)[0] === 'account';
      if (isIban(text) || isAnnounced()) {
        const digits = text.replaceAll(/\D/g, '');
        found.push({ kind: 'account', digits, first: tokens[i]!, last: tokens[j]! });
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

const day = '(?:(?:0 ?)?[1-9]|[12]\\d|3[01])';
const year = '(?:19|20)(?: ?\\d\\d| 0 \\d)';
const date = new RegExp(`^(?:${day} ${day} ${year}|${year} ${day} ${day})$`);

/** Day, month and year: `12 04 2026`, `oh three twelve nineteen eighty five`; or the year first. */
function isDate({ tokens }: DigitRun): boolean {
  return date.test(tokens.map(({ digits }) => digits).join(' '));
}

/** By the nearest announcement that the length fits, or else by form. */
function classify(run: DigitRun, announced: readonly Announcement[]): NumberFinding | null {
  const { digits, isInternational } = run;
  const { length } = digits;
  if (isDate(run)) return null;
  const fits: Readonly<Record<Announcement, boolean>> = {
    // A digit that was not recognised fails the check.
    card: length >= 12 && length <= maxCardDigits,
    securityCode: length === 3 || length === 4,
    account: length >= 6 && length <= 18,
    phone: length >= 7 && length <= 15,
  };
  const kind = announced.find((each) => fits[each]);
  if (kind === 'securityCode') return findingOf(run, 'card');
  if (kind !== undefined) return findingOf(run, kind);
  return isPhoneNumber(digits, isInternational) ? findingOf(run, 'phone') : null;
}

/** The last digits of what was announced. */
function endingFinding(
  words: readonly SpokenWord[],
  run: DigitRun,
  announced: readonly Announcement[],
): NumberFinding | null {
  const kind = announced.find((each) => each !== 'securityCode');
  if (kind === undefined) return null;
  const ending = endingOf(words, run);
  return ending && findingOf(ending, kind);
}

function findingOf({ digits, tokens }: DigitRun, kind: NumberFinding['kind']): NumberFinding {
  return { kind, digits, first: tokens[0]!, last: tokens.at(-1)! };
}

const minEchoDigits = 4;

/** Parts of a number that somebody repeats, and the last digits of a card. */
function echoes(
  runs: readonly DigitRun[],
  found: readonly NumberFinding[],
): readonly NumberFinding[] {
  return runs.flatMap((run) => {
    const { digits } = run;
    const echoed =
      digits.length >= minEchoDigits && found.find((each) => each.digits.includes(digits));
    if (!echoed) return [];
    return [findingOf(run, echoed.kind)];
  });
}
