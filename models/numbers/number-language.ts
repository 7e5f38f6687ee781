// What the rules of written numbers need to know of a language.

/** A part of a spoken number. */
export interface Numeral {
  /**
   * `pair`: 10 to 99, complete. `tens`: 20 to 90, to which a digit may be added. `hundred`
   * multiplies what is before it; `hundreds` are complete. `scale`: a thousand and its powers.
   * `article`: a one only before a hundred or a scale. `and`: joins parts.
   */
  readonly kind:
    'zero' | 'digit' | 'pair' | 'tens' | 'hundred' | 'hundreds' | 'scale' | 'article' | 'and';
  readonly value: number;
  readonly ordinal?: true;
  /** No part of a longer number: `venti, secondo me`. */
  readonly isAlone?: true;
}

/** Where a word that joins the parts of a number may stand. */
export type Joint = 'tens' | 'hundreds' | 'units';

/** How a language speaks numbers: enough to read them. */
export interface NumeralLanguage {
  /** ISO 639-1; separators and symbols are those of the Unicode CLDR. */
  readonly code: string;
  /** The parts of a word in lower case without hyphens; null when it is not a number. */
  readonly read: (word: string) => readonly Numeral[] | null;
  /** After which parts `and` may stand. */
  readonly joints: readonly Joint[];
  /** Whether tens are counted in twenties: `soixante-douze`, `quatre-vingt-dix-sept`. */
  readonly vigesimal: boolean;
  /** Whether a hundred or a thousand may be said without `one`. */
  readonly bareScales: boolean;
  /** The highest number before a hundred: `nineteen hundred`, `quinze cents`. */
  readonly mostHundreds: number;
  /** Say the next digit twice, or three times. */
  readonly repeats: Readonly<Record<string, number>>;
}

/** How numbers are written as well. */
export interface NumberLanguage extends NumeralLanguage {
  /** The mark that a word for the decimal point is written as. */
  readonly points: Readonly<Record<string, ',' | '.'>>;
  /** Each as the words after the number. */
  readonly percent: readonly (readonly string[])[];
  /** ISO 4217 code of the words that are written as a symbol. */
  readonly currencies: Readonly<Record<string, string>>;
  /** ISO 4217 code of words that are a currency only where cents follow: `five pounds fifty`. */
  readonly pricedCurrencies: Readonly<Record<string, string>>;
  /** Other currencies and their parts: the number before them is written in digits. */
  readonly coins: readonly string[];
  readonly cents: readonly string[];
  /** Words between an amount and its cents. */
  readonly centJoints: readonly string[];
  /** Whether cents without their word usually have such a joint: `tre euro e cinquanta`. */
  readonly joinsCents: boolean;
  /** Words that nothing is counted with, after cents without their word: `a month`. */
  readonly afterCents: readonly string[];
  readonly months: readonly string[];
  /** Months that are also other words: they need a capital and an ordinal number. */
  readonly doubtfulMonths: readonly string[];
  /** Words between a day and its month. */
  readonly dayJoints: readonly string[];
  /** Whether the day follows its month: `May fifth`. */
  readonly dayAfterMonth: boolean;
  /** Whether the day before a month is an ordinal number. */
  readonly ordinalDays: boolean;
  /** An ordinal number in digits; `word` is its last word. */
  readonly ordinal: (digits: string, word: string) => string;
  /** Ordinal numbers that are also units of time: `another twenty second pause`. */
  readonly durations: readonly string[];
  /** Words that they are an ordinal number before. */
  readonly ordinalNouns: readonly string[];
  /** Before a year in pairs that something in the plural follows; null where none is in pairs. */
  readonly beforeYears: readonly string[] | null;
  /** Numerals in the plural that a number before them belongs to: `the nineteen eighties`. */
  readonly decades: readonly string[];
  /** An article and its apostrophe before a number: `l'undici`; null where none is elided. */
  readonly elision: RegExp | null;
  /** Whether a word is a noun in the plural, which minutes are not followed by. */
  readonly isPlural: (word: string) => boolean;
  /** Before and after a number that is written in digits, however small: `minus seven degrees`. */
  readonly temperature: { readonly minus: readonly string[]; readonly degrees: readonly string[] };
  /** Words that name their referent by the number that follows: `page five`. */
  readonly labels: readonly string[];
  /** Words for what is spoken digit by digit: a code, a card. */
  readonly codes: readonly string[];
  /** Words for one that are never articles. */
  readonly countingOnes: readonly string[];
  /** Articles before an ordinal number that make it a fraction: `a tenth`. */
  readonly fractionArticles: readonly string[];
  /** Between numbers of which both or none are written in digits. */
  readonly pairJoints: readonly string[];
  /** Articles that may follow them: `entre el cinco y el diez por ciento`. */
  readonly pairArticles: readonly string[];
  /** Digits of a telephone number in groups; null where none are usual. */
  readonly phone: (digits: string) => string | null;
  readonly time: TimeWords;
}

/** How the time of day is spoken; empty lists where a language lacks the form. */
export interface TimeWords {
  /** Before an hour with minutes: `at ten thirty`, `it is ten thirty`. */
  readonly before: readonly string[];
  /** Between hours and minutes: `las ocho y veinte`. */
  readonly between: readonly string[];
  /** After the hour, before its minutes: `acht Uhr dreißig`. */
  readonly hour: readonly string[];
  /** After an hour: `o'clock`. */
  readonly after: readonly string[];
  /** After hour and minutes: `pm`. */
  readonly halves: readonly string[];
  /** Between minutes and the hour that they are counted from, or the other way round. */
  readonly beside: readonly (readonly string[])[];
  /** A half or a quarter before an hour, and after a number: `half past ten`, `diez y media`. */
  readonly partsBefore: readonly string[];
  readonly partsAfter: readonly string[];
  /** @param minutes two digits; null for none */
  readonly write: (hour: number, minutes: string | null, word: string) => string;
}

type Words = Readonly<Record<string, number>>;

/** Numerals of one kind by their words. */
export function numerals(kind: Numeral['kind'], words: Words): Record<string, Numeral> {
  return Object.fromEntries(Object.entries(words).map(([word, value]) => [word, { kind, value }]));
}

/** Words separated by blanks, as numerals of consecutive values; `a|b` are of the same value. */
export function counted(
  kind: Numeral['kind'],
  words: string,
  { from, step = 1 }: { readonly from: number; readonly step?: number },
): Record<string, Numeral> {
  return Object.fromEntries(
    words
      .split(/\s+/)
      .flatMap((same, i) =>
        same.split('|').map((word) => [word, { kind, value: from + i * step }]),
      ),
  );
}

/** The same as no parts of longer numbers. */
export function alone(words: Readonly<Record<string, Numeral>>): Record<string, Numeral> {
  return Object.fromEntries(
    Object.entries(words).map(([word, numeral]) => [word, { ...numeral, isAlone: true }]),
  );
}

/** The same as ordinal numbers. */
export function ordinals(words: Readonly<Record<string, Numeral>>): Record<string, Numeral> {
  return Object.fromEntries(
    Object.entries(words).map(([word, numeral]) => [word, { ...numeral, ordinal: true }]),
  );
}

/** Reads words that stand in a table, each as a single part. */
export function fromTable(
  table: Readonly<Record<string, Numeral>>,
): (word: string) => readonly Numeral[] | null {
  return (word) => (Object.hasOwn(table, word) ? [table[word]!] : null);
}

/**
 * Splits compounds into words of a table, longest first; null when a rest stays. From the end on,
 * because from the start a rest would be tried once for each way to split what is before it.
 */
export function compoundSplitter(
  table: Readonly<Record<string, Numeral>>,
): (word: string) => readonly Numeral[] | null {
  const longest = Math.max(...Object.keys(table).map(({ length }) => length));
  return (word) => {
    /** The end of the first part of each rest that can be split. */
    const ends: number[] = [];
    for (let from = word.length - 1; from >= 0; from -= 1) {
      for (let end = Math.min(word.length, from + longest); end > from; end -= 1) {
        const canFollow = end === word.length || ends[end] !== undefined;
        if (!canFollow || !Object.hasOwn(table, word.slice(from, end))) continue;
        ends[from] = end;
        break;
      }
    }
    if (word !== '' && ends[0] === undefined) return null;
    const parts: Numeral[] = [];
    for (let from = 0; from < word.length; from = ends[from]!)
      parts.push(table[word.slice(from, ends[from])]!);
    return parts;
  };
}
