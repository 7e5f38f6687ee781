// English words that are spoken for digits: a number has several readings.

const units = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales = [
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
  [100, 'hundred'],
] as const;
const maxCardinalDigits = 12;
/** Longer ones than a card's or an account's are read digit by digit. */
const maxRunDigits = 20;

const ordinals: Readonly<Record<string, string>> = {
  ...{ one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth' },
  ...{ nine: 'ninth', twelve: 'twelfth' },
};

/**
 * Up to four digits are read as a number; longer ones and those with leading zeros digit by digit.
 */
export function numberWords(digits: string): string {
  return digits.length > 4 || isCode(digits) ? oneByOne(digits) : cardinal(Number(digits), false);
}

/** All readings of digits, each once, the one of `numberWords` first. */
export function numberReadings(digits: string): readonly string[] {
  const all = [numberWords(digits), ...cardinalReadings(digits), ...runReadings(digits)];
  return [...new Set(all)];
}

/** As a quantity, American and British: `one hundred five`, `a hundred and five`. */
export function cardinalReadings(digits: string): readonly string[] {
  if (digits.length > maxCardinalDigits || isCode(digits)) return [oneByOne(digits)];
  const value = Number(digits);
  const all = [cardinal(value, false), cardinal(value, true)];
  const isHundreds = value > 1_000 && value < 10_000 && value % 1_000 >= 100;
  if (isHundreds) {
    const hundreds = `${cardinal(Math.floor(value / 100), false)} hundred`;
    all.push(
      ...(value % 100 ? ['', 'and '] : ['']).map((and) => hundreds + rest(value % 100, and)),
    );
  }
  const withArticle = all.map((words) => words.replace(/^one (?=[htmb])/, 'a '));
  return [...new Set([...all, ...withArticle])];
}

function rest(value: number, and: string): string {
  return value === 0 ? '' : ` ${and}${cardinal(value, false)}`;
}

/** The ordinal of each reading as a quantity: `one hundred third`, `a hundred and third`. */
export function ordinalReadings(digits: string): readonly string[] {
  return cardinalReadings(digits).flatMap((words) => {
    const ordinal = words.replace(/\w+$/, ordinalOf);
    return [ordinal, ordinal.replace(/^one (?=hundredth$|thousandth$|millionth$)/, '')];
  });
}

function ordinalOf(word: string): string {
  if (Object.hasOwn(ordinals, word)) return ordinals[word]!;
  return word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`;
}

/** `nineteen nineties`, `fives`. */
export function pluralReadings(digits: string): readonly string[] {
  return numberReadings(digits).map((words) =>
    words.endsWith('y')
      ? `${words.slice(0, -1)}ies`
      : `${words}${words.endsWith('x') ? 'es' : 's'}`,
  );
}

/** The digits after a point: one by one, or as a number. */
export function decimalReadings(digits: string): readonly string[] {
  const pair = /^[1-9]\d$/.test(digits) ? [cardinal(Number(digits), false)] : [];
  return [...new Set([oneByOne(digits), withOh(oneByOne(digits)), ...pair])];
}

/** The minutes of a time, with and without the zero before them; the full hour has none. */
export function minuteReadings(digits: string): readonly string[] {
  const words = cardinal(Number(digits), false);
  return digits.startsWith('0') ? [`oh ${words}`, `zero ${words}`, words] : [words];
}

/** Digits that follow each other: a code, a telephone number, a year. */
function runReadings(digits: string): readonly string[] {
  if (digits.length === 1 || digits.length > maxRunDigits) return [];
  const single = oneByOne(digits);
  const doubled = single.replaceAll(/\b(\w+) \1\b/g, 'double $1');
  const [, first, even] = /^(\d?)((?:\d\d)+)$/.exec(digits)!;
  const pairs = even!
    .match(/../g)!
    .map((pair) => (pair.startsWith('0') ? oneByOne(pair) : cardinal(Number(pair), false)));
  const inPairs = [...(first ? [cardinal(Number(first), false)] : []), ...pairs].join(' ');
  return [single, doubled, inPairs].flatMap((words) => [words, withOh(words)]);
}

function withOh(words: string): string {
  return words.replaceAll('zero', 'oh');
}

function isCode(digits: string): boolean {
  return digits.length > 1 && digits.startsWith('0');
}

function oneByOne(digits: string): string {
  return Array.from(digits, (digit) => units[Number(digit)]).join(' ');
}

/** @param isBritish `and` comes before the tens and units */
function cardinal(value: number, isBritish: boolean): string {
  if (value < 20) return units[value]!;
  if (value < 100) return `${tens[Math.floor(value / 10)]}${rest(value % 10, '')}`;
  const [size, name] = scales.find(([least]) => value >= least)!;
  const left = value % size;
  const and = isBritish && left > 0 && left < 100 ? 'and ' : '';
  const tail = left === 0 ? '' : ` ${and}${cardinal(left, isBritish)}`;
  return `${cardinal(Math.floor(value / size), isBritish)} ${name}${tail}`;
}
