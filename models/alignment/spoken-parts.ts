// What may be said for written words: numbers, amounts, times, symbols and abbreviations are
// spelled out, punctuation is dropped and compounds are split.
import {
  cardinalReadings,
  decimalReadings,
  minuteReadings,
  numberReadings,
  ordinalReadings,
  pluralReadings,
} from './number-words.ts';

/** The readings of a part of a written word, spoken words with blanks; '' leaves it out. */
type Readings = readonly string[];

const symbols: Readonly<Record<string, Readings>> = {
  ...{ '%': ['percent', 'per cent'], '&': ['and'], '+': ['plus'], '@': ['at'], '*': ['star'] },
  ...{ '#': ['pound', 'number', 'hash'], $: ['dollars'], '€': ['euros'], '£': ['pounds'] },
};

/** Abbreviations that the dictionary lacks, or of which it lacks a reading. */
const abbreviations: Readonly<Record<string, Readings>> = {
  ...{ cm: ['centimeters', 'centimeter'], ft: ['feet', 'foot'], ml: ['milliliters', 'milliliter'] },
  ...{ kg: ['kilograms', 'kilogram', 'kilos', 'k g'], km: ['kilometers', 'kilometer', 'k m'] },
  ...{
    mg: ['milligrams', 'milligram'],
    mrs: ['mrs', 'missus'],
    prof: ['professor', 'prof'],
    vs: ['versus', 'vs'],
  },
};

interface Currency {
  readonly one: string;
  readonly many: string;
  readonly cent: string;
  readonly cents: string;
}

const currencies: Readonly<Record<string, Currency>> = {
  $: { one: 'dollar', many: 'dollars', cent: 'cent', cents: 'cents' },
  '€': { one: 'euro', many: 'euros', cent: 'cent', cents: 'cents' },
  '£': { one: 'pound', many: 'pounds', cent: 'penny', cents: 'pence' },
};

const pairJoint = /^(to|or|and)$/;
const scale = /^(thousand|million|billion|trillion)\b/;
const amountAtEnd = /([$€£])\d+(?:\.\d+)?$/;

const part = new RegExp(
  [
    String.raw`(?<hour>\d{1,2}):(?<minutes>[0-5]\d)(?!\d)`,
    String.raw`(?<sign>[$€£]?)(?<digits>\d+)(?:\.(?<decimals>\d+))?` +
      String.raw`(?<ending>(?:st|nd|rd|th|'?s)\b)?`,
    String.raw`(?<symbol>[%&+@#*$€£])`,
    String.raw`(?<letters>[a-z']+)`,
  ].join('|'),
  'g',
);

/**
 * The parts of each written word: `$25.50` is read as twenty five dollars fifty, among others. A
 * unit of money is said after `million` in `$2 million`, and once in `$5 to $10`.
 */
export function spokenParts(written: readonly string[]): readonly (readonly Readings[])[] {
  const words = written.map(plain);
  return words.map((word, i) => {
    const parts = [...word.matchAll(part)].flatMap(({ groups, index, [0]: text }) => {
      const isLast = index + text.length === word.length;
      return partsOf(groups!, isLast && scale.test(words[i + 1] ?? ''));
    });
    const sign = scale.test(word) ? amountAtEnd.exec(words[i - 1] ?? '')?.[1] : undefined;
    const unit = sign === undefined ? [] : [[currencies[sign]!.many]];
    const all = [...parts.slice(0, 1), ...unit, ...parts.slice(1)];
    const isFirst = pairJoint.test(words[i + 1] ?? '') && /[$€£]\d/.test(words[i + 2] ?? '');
    return isFirst ? all.map(unitOrNone) : all;
  });
}

/** The unit of the first of two amounts may be said after the second one only. */
function unitOrNone(readings: Readings): Readings {
  const isUnit = Object.values(currencies).some(({ many }) => readings.includes(many));
  return isUnit && !readings.includes('') ? [...readings, ''] : readings;
}

function plain(written: string): string {
  return written
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/(\d),(?=\d{3})/g, '$1');
}

type Groups = Readonly<Record<string, string | undefined>>;

/** @param beforeScale the unit of an amount is said after the next word */
function partsOf(groups: Groups, beforeScale: boolean): readonly Readings[] {
  const { hour, minutes, sign, digits, decimals, ending, symbol, letters } = groups;
  if (hour !== undefined) return [timeReadings(hour, minutes!)];
  if (symbol !== undefined) return [symbols[symbol]!];
  if (letters !== undefined) return [letterReadings(letters)];
  if (sign && !beforeScale) return amountParts(currencies[sign]!, digits!, decimals);
  if (decimals !== undefined) {
    const whole = digits === '0' ? ['zero', 'oh', ''] : cardinalReadings(digits!);
    return [whole, ['point'], decimalReadings(decimals)];
  }
  if (!ending) return [numberReadings(digits!)];
  return [ending.endsWith('s') ? pluralReadings(digits!) : ordinalReadings(digits!)];
}

function letterReadings(letters: string): Readings {
  const word = letters.replaceAll(/^'+|(?<!')'+$/g, '');
  return Object.hasOwn(abbreviations, word) ? abbreviations[word]! : [word];
}

/**
 * `five dollars`, `five dollars and fifty cents`, `five fifty`, `five point five dollars`: each
 * part has its readings, because a state for each combination would be too many.
 */
function amountParts(
  { one, many, cent, cents }: Currency,
  digits: string,
  decimals: string | undefined,
): readonly Readings[] {
  const isOne = Number(digits) === 1;
  const whole = isOne ? ['one', 'a'] : numberReadings(digits);
  const unit = isOne ? [one, many] : [many];
  if (decimals === undefined || decimals === '00') return [whole, unit];
  const small = decimals.length === 2 ? minuteReadings(decimals) : [];
  return [
    Number(digits) === 0 ? [...whole, ''] : whole,
    [...unit, ''],
    ['', 'and', 'point'],
    [...new Set([...small, ...decimalReadings(decimals)])],
    ['', decimals === '01' ? cent : cents, many],
  ];
}

/** `nine thirty`, `half past nine`, `nine oh five`, `nine o'clock`. */
function timeReadings(hour: string, minutes: string): Readings {
  const [now] = cardinalReadings(`${Number(hour)}`) as [string];
  if (minutes === '00') {
    return ['', " o'clock", ' hundred', ' zero zero', ' oh oh'].map((after) => `${now}${after}`);
  }
  const [next] = cardinalReadings(`${(Number(hour) % 12) + 1}`) as [string];
  const quarters: Readonly<Record<string, Readings>> = {
    '15': [`quarter past ${now}`, `a quarter past ${now}`],
    '30': [`half past ${now}`],
    '45': [`quarter to ${next}`, `a quarter to ${next}`],
  };
  return [
    ...minuteReadings(minutes).map((words) => `${now} ${words}`),
    ...(quarters[minutes] ?? []),
  ];
}
