// Terms of a request that were recognised letter by letter, and written in another way: in other
// cases, or with the names of their signs ("C plus plus"); pure.

/** A term in the place of the words that have its letters. */
export interface Spelling {
  /** Indices of words; the end is exclusive. */
  readonly first: number;
  readonly end: number;
  /** One word of the term, with the marks around those that it replaces. */
  readonly written: string;
}

/** True for a word in lower case that a recogniser has as one piece: it is a common one. */
export type IsCommon = (word: string) => boolean;

interface TermWord {
  readonly written: string;
  /** Of its letters and signs, without blanks between words. */
  readonly pattern: RegExp;
  /** As many words may have been recognised in its place. */
  readonly maxWords: number;
}

/** Of signs that are said as words: "C plus plus", "AT and T". */
const signNames: Readonly<Record<string, string>> = {
  '&': 'and|und|et|y|e|en',
  '+': 'plus|más|più|mais',
  '#': 'sharp|hash|raute',
  '@': 'at',
  '.': 'dot|point|punkt|punto|ponto',
};
/** Signs without which a term is another one: C is not C++. */
const sign = /[&+#@%\p{Sc}]/u;
const beginning = /^[^\p{L}\p{N}&+#@%\p{Sc}]*/u;
/** A possessive, and the marks at the end of a word. */
const ending = /(['’]s)?([^\p{L}\p{N}&+#@%\p{Sc}]*)$/u;
const unspoken = /[^\p{L}\p{N}&+#@%\p{Sc}]/gu;
/** A shorter word may be one itself without `&`: "hm" is not H&M. */
const minLettersWithoutSign = 3;

/** @returns terms whose spelling counts wherever their letters were recognised, in order */
export function certainSpellings(
  words: readonly string[],
  terms: readonly string[],
  isCommon: IsCommon,
): readonly Spelling[] {
  return spellingsOf(words, terms, (term, own) => !isDoubtful(term, own, isCommon)).flat();
}

/**
 * Terms whose letters are a common word's: "will" is Will at times, and "it" is IT.
 * @returns the words of each term
 */
export function doubtfulSpellings(
  words: readonly string[],
  terms: readonly string[],
  isCommon: IsCommon,
): readonly (readonly Spelling[])[] {
  return spellingsOf(words, terms, (term, own) => isDoubtful(term, own, isCommon));
}

/** Whether people write common words so as well: `Will`, `IT`, `will`; not `iPhone`, `C++`. */
function isDoubtful(term: string, own: readonly string[], isCommon: IsCommon): boolean {
  const isPlain = term.split(' ').every((word) => /^(\p{Lu}?\p{Ll}*|\p{Lu}*)$/u.test(word));
  return isPlain && own.every((word) => isCommon(lettersOf(word.replace(ending, ''))));
}

type Accepts = (term: string, own: readonly string[]) => boolean;

/** Of terms that begin at the same word the longest counts. */
function spellingsOf(
  words: readonly string[],
  terms: readonly string[],
  accepts: Accepts,
): readonly (readonly Spelling[])[] {
  const known = terms
    .map((term) => ({ term, parts: term.split(/\s+/).map(termWord) }))
    .toSorted((a, b) => b.term.length - a.term.length);
  const found: (readonly Spelling[])[] = [];
  for (let first = 0; first < words.length;) {
    const matches = known.flatMap(({ term, parts }) => {
      const spelled = matchAt(words, first, parts);
      return spelled ? [{ term, spelled, end: spelled.at(-1)!.end }] : [];
    });
    const isWritten = matches.some(({ spelled }) => isSame(words, spelled));
    const own = matches.find(({ term, end }) => accepts(term, words.slice(first, end)));
    if (own && !isWritten) found.push(own.spelled);
    first = own?.end ?? first + 1;
  }
  return found;
}

function matchAt(
  words: readonly string[],
  from: number,
  parts: readonly TermWord[],
): readonly Spelling[] | null {
  const spelled: Spelling[] = [];
  let first = from;
  for (const part of parts) {
    const ends = Array.from({ length: part.maxWords }, (_, i) => first + i + 1);
    const own = ends
      .filter((end) => end <= words.length)
      .map((end) => ({ first, end, written: writtenFor(words.slice(first, end), part) }))
      .find(({ written }) => written !== null);
    if (!own) return null;
    spelled.push({ ...own, written: own.written! });
    first = own.end;
  }
  return startsSentence(words, from) ? capitalised(words, spelled) : spelled;
}

/** With the marks around what was recognised, and its possessive; null for other letters. */
function writtenFor(own: readonly string[], { written, pattern }: TermWord): string | null {
  const joined = own.join('');
  const [{ length }, possessive = '', marks = ''] = ending.exec(joined)!;
  const bare = joined.slice(0, joined.length - length);
  const isWhole = pattern.test(lettersOf(bare + possessive));
  if (!isWhole && !pattern.test(lettersOf(bare))) return null;
  const before = beginning.exec(own[0]!)![0];
  const after = isWhole ? marks : possessive + marks;
  // `Inc.` at the end of a sentence has one full stop, and `.NET` one before it.
  const isTwice = after.startsWith(written.at(-1)!);
  return before.replace(/\.$/, '') + written + (isTwice ? after.slice(1) : after);
}

function isSame(words: readonly string[], spelled: readonly Spelling[]): boolean {
  return spelled.every(({ first, end, written }) => words.slice(first, end).join(' ') === written);
}

function startsSentence(words: readonly string[], at: number): boolean {
  return at === 0 || /[.?!]["'”’»)]*$/.test(words[at - 1]!);
}

/** A term in small letters keeps the capital that begins its sentence. */
function capitalised(
  words: readonly string[],
  [start, ...rest]: readonly Spelling[],
): readonly Spelling[] {
  const { first, end, written } = start!;
  const heard = words.slice(first, end).join(' ');
  const isSmall = written === written.toLowerCase();
  return [
    isSmall && heard.slice(1) === written.slice(1) ? { first, end, written: heard } : start!,
  ].concat(rest);
}

function termWord(written: string): TermWord {
  const characters = Array.from(written.toLowerCase());
  const letters = characters.filter((each) => /[\p{L}\p{N}]/u.test(each));
  const pattern = characters.map((character, i) => {
    if (/[\p{L}\p{N}]/u.test(character)) return character;
    const names = Object.hasOwn(signNames, character) ? `|${signNames[character]}` : '';
    if (!sign.test(character)) return `(?:${names})`;
    const isWithin = i > 0 && i < characters.length - 1;
    const mayLack = character === '&' && isWithin && letters.length >= minLettersWithoutSign;
    return `(?:[${character}]${names})${mayLack ? '?' : ''}`;
  });
  const pieces = written.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu)!;
  const hasNames = characters.some((character) => Object.hasOwn(signNames, character));
  return {
    written,
    pattern: new RegExp(`^${pattern.join('')}$`, 'u'),
    maxWords: hasNames ? pieces.length : 1,
  };
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(unspoken, '');
}
