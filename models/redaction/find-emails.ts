// E-mail addresses, written or spoken: "john dot smith at example dot com".
import { numeralLanguage } from './acting-languages.ts';
import { conjunctions, exampleWords, readableWords, spelled, stops } from './address-words.ts';
import type { SpokenWord } from './kinds.ts';
import { allAlternatives, allWords } from './languages/languages.ts';
import { spokenDigits } from './spoken-digits.ts';
import { bare } from './tokens.ts';

const atSigns = allWords(({ addresses }) => addresses.at);
const dots = allWords(({ addresses }) => addresses.dot);
/** Said between the parts of a name. */
const joiners = dots.union(allWords(({ addresses }) => addresses.joiners));
const domains: ReadonlySet<string> = new Set(
  (
    'com org net edu gov io co uk de fr es it nl pt eu info biz me us ca au at ch be ie ' +
    'in jp br mx ar cl pl se no dk fi cz nz za sg hk gr ac ai app dev tv xyz ru ру рф ком by kz ' +
    'tech online store ' +
    'shop site club cloud email live mobi mil int cat lu'
  ).split(' '),
);
/** Domains that are no other words, so that the dot before them may be lost. */
const plainDomains: ReadonlySet<string> = new Set('com org edu'.split(' '));
/** Of those, what is no part of a domain; "g mail", "my company" are. */
const domainStops = stops.difference(new Set('mail my me so la el es'.split(' ')));
const nouns = allWords(({ addresses }) => addresses.nouns);
const announced = allWords(({ addresses }) => addresses.announced);
const writes = new RegExp(`^(?:${allAlternatives(({ addresses }) => addresses.writes)})$`, 'u');
const to = allWords(({ addresses }) => addresses.to);
const glued = /^[\p{L}\d._-]*[\p{L}\d]at[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d-]+)+$/u;
const maxLocalWords = 10;
/** A name that is spelled letter by letter. */
const maxSpelledWords = 40;
const maxDomainWords = 8;
const maxSpelledDomain = 40;
/** What follows them and "at" is a page: "look at amazon dot com". */
const verbs: ReadonlySet<string> = new Set(
  (
    'look looked looking looks found find bought buy shopped shopping ordered checked checking ' +
    'it them this that available shop order check'
  ).split(' '),
);
/** Of those, what may be a name after "to": "write to shop at …". */
const names: ReadonlySet<string> = new Set('shop order check'.split(' '));

/** @param indexes words of one speaker, in order. @returns indexes of each address */
export function findEmails(
  words: readonly SpokenWord[],
  indexes: readonly number[],
): readonly (readonly number[])[] {
  const parts = indexes.flatMap((index) =>
    partsOf(words[index]!.word).map((text) => ({ text, index })),
  );
  const spoken = readableWords(parts.map(({ text }) => text));
  const examples = exampleWords(spoken);
  const texts = spoken.map((text, i) => {
    const isNumber = spokenDigits([text], numeralLanguage(words[parts[i]!.index]!)) !== null;
    return examples.has(i) || (isNumber && text.length > 1) ? spelled : text;
  });
  const found: (readonly number[])[] = [];
  let free = 0;
  for (let i = 0; i < texts.length; i += 1) {
    if (!atSigns.has(texts[i]!) || i === free) continue;
    const raw = words[parts[i]!.index]!.word;
    const isWritten = parts[i - 1]?.index === parts[i]!.index;
    const start = isWritten ? writtenStart(texts, i, free) : localStart(texts, i, free);
    if (start === i) continue;
    const isWhole = /[^\s@]@[^\s@]+\.[a-z]{2}/i.test(raw);
    const end = isWhole ? i + 2 : domainEnd(texts, i + 1);
    if (end === null) continue;
    // "write to her at jane dot doe at …": the first one is no sign.
    const isOther = !isWhole && atSigns.has(texts[end] ?? '');
    if (isOther && domainEnd(texts, end + 1) !== null) continue;
    found.push([...new Set(parts.slice(start, end).map(({ index }) => index))]);
    free = end;
    i = end - 1;
  }
  return [...found, ...gluedAddresses(texts, parts, found)];
}

/** "my email is jane.doeatexample.com": the sign was written as a part of the word. */
function gluedAddresses(
  texts: readonly string[],
  parts: readonly { readonly index: number }[],
  found: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return texts.flatMap((text, i) => {
    const before = texts.slice(Math.max(0, i - 3), i);
    const verb = before.at(-1) ?? '';
    const isAddress = glued.test(text) && domains.has(text.split('.').at(-1)!);
    const isNamed = announced.has(verb) && before.slice(-2).some((word) => nouns.has(word));
    const isWrittenTo = to.has(verb) && before.some((word) => writes.test(word));
    const isAnnounced = isNamed || isWrittenTo;
    const isKnown = found.some((each) => each.includes(parts[i]!.index));
    return isAddress && isAnnounced && !isKnown ? [[parts[i]!.index]] : [];
  });
}

/** "doe@gmail.com" in three. */
function partsOf(word: string): readonly string[] {
  const at = word.lastIndexOf('@');
  if (at === -1) return [bare(word)];
  const [local, domain] = [bare(word.slice(0, at)), bare(word.slice(at + 1))];
  return [local, '@', domain].filter(Boolean);
}

/** After "example dot com", or "example.com"; null for what is no domain. */
function domainEnd(texts: readonly string[], start: number): number | null {
  let end: number | null = null;
  let count = 0;
  const isArticle = texts[start] === 'the' && !dots.has(texts[start + 1] ?? '');
  for (let i = start; i < texts.length && i < start + maxSpelledDomain; i += 1) {
    count += i > start && isPiece(texts[i]!) && isPiece(texts[i - 1]!) ? 0 : 1;
    if (count > maxDomainWords) break;
    const labels = texts[i]!.split('.');
    const isWritten = labels.length > 1 && domains.has(labels.at(-1)!);
    const isPart = i > start && dots.has(texts[i - 1]!);
    const isStop = domainStops.has(texts[i]!) && !isSpelled(texts, i);
    if (!isPart && isStop && !(i === start && isArticle)) break;
    const isDomain = domains.has(texts[i]!) && !(isArticle && texts[i - 1] !== 'dot');
    // Any word may end what "dot" or a sign that is no other word announces.
    const isOther = isAnyDomain(texts, start, i) && !isStop;
    const isNamed = i > start + 1 && isPart && (isDomain || isOther);
    const isUndotted = i > start && plainDomains.has(texts[i]!);
    if (isWritten || isNamed || isUndotted) end = i + 1;
    // "co dot uk" goes on, "com thank you" does not.
    if (end !== null && !dots.has(texts[end] ?? '')) break;
  }
  return end;
}

/** Whether the word after a dot may be any domain. */
function isAnyDomain(texts: readonly string[], start: number, i: number): boolean {
  const isSign = texts[start - 1] !== 'at' || texts[i - 1] === 'dot';
  return isSign && texts[start] !== 'the' && /^[a-z]{2,}$/.test(texts[i]!);
}

/** Back over a name whose parts are joined, spelled or announced. */
function localStart(texts: readonly string[], at: number, free: number): number {
  const least = Math.max(free, at - maxLocalWords);
  const isStop = (i: number): boolean => stops.has(texts[i]!) && !isSpelled(texts, i);
  if (at - 3 >= least && isPair(texts, at)) return at - 3;
  if (at - 1 < least || isStop(at - 1) || isLookedAt(texts, at)) return at;
  // "my address is jane doe at …": everything since the announcement.
  for (let i = at - 2; i >= least; i -= 1) {
    if (isStop(i)) return announced.has(texts[i]!) ? i + 1 : joinedStart(texts, at, free);
  }
  return joinedStart(texts, at, free);
}

/** "my address is mike and ike at …". */
function isPair(texts: readonly string[], at: number): boolean {
  const [kind = '', verb = '', , joint = ''] = texts.slice(Math.max(0, at - 5), at);
  return conjunctions.has(joint) && announced.has(verb) && nouns.has(kind);
}

/** "I bought it at amazon dot com". */
function isLookedAt(texts: readonly string[], at: number): boolean {
  const [before = '', verb = ''] = [texts[at - 2], texts[at - 1]];
  if (texts[at] !== 'at' || !verbs.has(verb)) return false;
  if (joiners.has(before) || announced.has(before)) return false;
  return !names.has(verb) || before === 'i' || before === 'can' || before === 'you';
}

/** Back over a name of which the last part is written with the sign: "jane dot doe@…". */
function writtenStart(texts: readonly string[], at: number, free: number): number {
  const least = Math.max(free, at - maxSpelledWords);
  let start = at - 1;
  while (start > least) {
    const before = texts[start - 1]!;
    const isJoined = joiners.has(before) || joiners.has(texts[start]!);
    const belongs = isJoined || (isPiece(before) && isPiece(texts[start]!));
    if (!belongs || (stops.has(before) && !isSpelled(texts, start - 1))) break;
    start -= 1;
  }
  return start;
}

function isPiece(text: string): boolean {
  return text.length === 1 || /^\d+$/.test(text);
}

/** A letter beside another one is no word: "h a n a". */
function isSpelled(texts: readonly string[], i: number): boolean {
  const [before = '', after = ''] = [texts[i - 1], texts[i + 1]];
  // "è m a r i a".
  return (
    !/^[èé]$/.test(texts[i]!) &&
    isPiece(texts[i]!) &&
    (isPiece(before) || isPiece(after) || joiners.has(after))
  );
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
