// E-mail addresses, written or spoken: "john dot smith at example dot com".
import type { SpokenWord } from './kinds.ts';
import { spokenDigits } from './spoken-digits.ts';
import { bare } from './tokens.ts';

const atSigns: ReadonlySet<string> = new Set(
  'at @ ät arroba arobase chiocciola apenstaartje klammeraffe'.split(' '),
);
const dots: ReadonlySet<string> = new Set('dot . point punkt punto punt ponto'.split(' '));
/** Said between the parts of a name. */
const joiners: ReadonlySet<string> = new Set([
  ...dots,
  ...'underscore dash hyphen minus unterstrich bindestrich guion tiret trattino plus'.split(' '),
]);
const domains: ReadonlySet<string> = new Set(
  (
    'com org net edu gov io co uk de fr es it nl pt eu info biz me us ca au at ch be ie ' +
    'in jp br mx pl se no dk fi cz ai app dev tv xyz'
  ).split(' '),
);
/** Domains that are no other words, so that the dot before them may be lost. */
const plainDomains: ReadonlySet<string> = new Set('com org edu'.split(' '));
/** Nothing before them belongs to an address. */
const stops: ReadonlySet<string> = new Set(
  (
    "is it it's its address email e-mail mail to me us my the a an and or at on um uh so " +
    'yeah yes okay ist meine adresse lautet es la el mi correo dirección est mon adresse ' +
    'mail è mia indirizzo'
  ).split(' '),
);
/** Of those, what is no part of a domain; "g mail", "my company" are. */
const domainStops = stops.difference(new Set('mail my me so la el es'.split(' ')));
const maxLocalWords = 10;
/** A name that is spelled letter by letter. */
const maxSpelledWords = 40;
const maxDomainWords = 8;

/** @param indexes words of one speaker, in order. @returns indexes of each address */
export function findEmails(
  words: readonly SpokenWord[],
  indexes: readonly number[],
): readonly (readonly number[])[] {
  const spoken = indexes.map((index) => bare(words[index]!.word));
  const examples = exampleWords(spoken);
  const texts = spoken.map((text, i) => {
    const isNumber = spokenDigits([text], words[indexes[i]!]!.language) !== null;
    return examples.has(i) || (isNumber && text.length > 1) ? spelled : text;
  });
  const found: (readonly number[])[] = [];
  let free = 0;
  for (let i = 0; i < texts.length; i += 1) {
    const raw = words[indexes[i]!]!.word;
    if (/[^\s@]@[^\s@]+\.[a-z]{2}/i.test(raw)) {
      found.push([indexes[i]!]);
      free = i + 1;
      continue;
    }
    if (!atSigns.has(texts[i]!) || i === free) continue;
    const end = domainEnd(texts, i + 1);
    const start = end === null ? i : localStart(texts, i, free);
    if (end === null || start === i) continue;
    found.push(indexes.slice(start, end));
    free = end;
    i = end - 1;
  }
  return found;
}

/** In the place of a word that stands for a letter or for digits. */
const spelled = '0';
/** Said between a letter and a word that begins with it: "S for sugar", "M wie Martha". */
const exampleJoints: ReadonlySet<string> = new Set(
  'for like wie comme come como de van'.split(' '),
);

/** "S as in sugar": the words that say which letter is meant. */
function exampleWords(texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, letter] of texts.entries()) {
    if (!/^\p{L}$/u.test(letter)) continue;
    const isLong = texts[i + 1] === 'as' && texts[i + 2] === 'in';
    const joints = isLong ? 2 : exampleJoints.has(texts[i + 1] ?? '') ? 1 : 0;
    const word = texts[i + joints + 1];
    if (joints === 0 || !word?.startsWith(letter)) continue;
    for (let at = i + 1; at <= i + joints + 1; at += 1) found.add(at);
  }
  return found;
}

/** After "example dot com", or "example.com"; null for what is no domain. */
function domainEnd(texts: readonly string[], start: number): number | null {
  let end: number | null = null;
  for (let i = start; i < texts.length && i < start + maxDomainWords; i += 1) {
    const labels = texts[i]!.split('.');
    const isWritten = labels.length > 1 && domains.has(labels.at(-1)!);
    const isPart = i > start && dots.has(texts[i - 1]!);
    if (!isPart && domainStops.has(texts[i]!)) break;
    const isNamed = i > start + 1 && dots.has(texts[i - 1]!) && domains.has(texts[i]!);
    const isUndotted = i > start && plainDomains.has(texts[i]!);
    if (isWritten || isNamed || isUndotted) end = i + 1;
    // "co dot uk" goes on, "com thank you" does not.
    if (end !== null && !dots.has(texts[end] ?? '')) break;
  }
  return end;
}

/** Back over a name whose parts are joined, spelled or announced. */
function localStart(texts: readonly string[], at: number, free: number): number {
  const least = Math.max(free, at - maxLocalWords);
  const isStop = (i: number): boolean => stops.has(texts[i]!) && !isSpelled(texts, i);
  if (at - 1 < least || isStop(at - 1)) return at;
  // "my address is jane doe at …": everything since the announcement.
  for (let i = at - 2; i >= least; i -= 1) {
    if (isStop(i))
      return /^(is|it's|its|ist|lautet|es|est|è|address|email|e-mail)$/.test(texts[i]!)
        ? i + 1
        : joinedStart(texts, at, free);
  }
  return joinedStart(texts, at, free);
}

function isPiece(text: string): boolean {
  return text.length === 1 || /^\d+$/.test(text);
}

/** A letter beside another one is no word: "h a n". */
function isSpelled(texts: readonly string[], i: number): boolean {
  return isPiece(texts[i]!) && (isPiece(texts[i + 1] ?? '') || joiners.has(texts[i + 1] ?? ''));
}

function joinedStart(texts: readonly string[], at: number, free: number): number {
  const least = Math.max(free, at - maxSpelledWords);
  let start = at - 1;
  while (start > least) {
    const before = texts[start - 1]!;
    const belongs =
      joiners.has(before) ||
      joiners.has(texts[start]!) ||
      // "jan punt de vries"
      joiners.has(texts[start - 2] ?? '') ||
      isPiece(before) ||
      /^\d+$/.test(texts[start]!);
    if (!belongs || (stops.has(before) && !isSpelled(texts, start - 1))) break;
    start -= 1;
  }
  return start;
}
