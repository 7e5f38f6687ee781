// Spoken numbers of English.
import { counted, fromTable, numerals, ordinals, type NumberLanguage } from './number-language.ts';

const digits = 'one two three four five six seven eight nine';
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const tens = 'twenty thirty forty|fourty fifty sixty seventy eighty ninety';
const table = {
  ...numerals('zero', { zero: 0, oh: 0, nought: 0 }),
  ...counted('digit', digits, { from: 1 }),
  ...counted('pair', teens, { from: 10 }),
  ...counted('tens', tens, { from: 20, step: 10 }),
  ...numerals('hundred', { hundred: 100 }),
  ...numerals('scale', { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 }),
  ...numerals('article', { a: 1 }),
  ...numerals('and', { and: 0 }),
  ...ordinals({
    ...counted('digit', 'first second third fourth fifth sixth seventh eighth ninth', { from: 1 }),
    ...counted(
      'pair',
      'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth ' +
        'nineteenth twentieth',
      { from: 10 },
    ),
    ...counted('pair', 'thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth', {
      ...{ from: 30, step: 10 },
    }),
    ...numerals('hundred', { hundredth: 100 }),
    ...numerals('scale', { thousandth: 1e3, millionth: 1e6 }),
  }),
};

const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** Words in -s that may follow a time. */
const singulars = new Set(
  (
    'is was has does this his as its always sometimes perhaps yes thus plus across besides ' +
    'towards unless afterwards us'
  ).split(' '),
);

export const english: NumberLanguage = {
  code: 'en',
  read: fromTable(table),
  joints: ['hundreds'],
  vigesimal: false,
  bareScales: false,
  mostHundreds: 99,
  repeats: { double: 2, triple: 3, treble: 3 },
  points: { point: '.' },
  percent: [['percent'], ['per', 'cent']],
  currencies: { dollar: 'USD', dollars: 'USD', euro: 'EUR', euros: 'EUR' },
  pricedCurrencies: { pound: 'GBP', pounds: 'GBP' },
  coins: ['pounds', 'pence', 'rupees', 'yen', 'francs', 'pesos', 'rubles', 'cents'],
  cents: ['cent', 'cents', 'pence', 'penny'],
  centJoints: ['and'],
  joinsCents: false,
  afterCents: 'a an each per for every and apiece please plus but is was'.split(' '),
  months:
    'january february march april may june july august september october november december'.split(
      ' ',
    ),
  doubtfulMonths: ['march', 'may'],
  dayJoints: ['of'],
  dayAfterMonth: true,
  ordinalDays: true,
  ordinal: (number) => `${number}${suffixes[rules.select(Number(number.replaceAll(',', '')))]}`,
  durations: ['second'],
  ordinalNouns: (
    'of century street avenue floor birthday anniversary amendment edition place week day year ' +
    'president congress'
  ).split(' '),
  beforeYears: (
    'in of since year by until till from before after through to for the a this that our their ' +
    'its your my his her'
  ).split(' '),
  decades: (
    'tens twenties thirties forties fifties sixties seventies eighties nineties ' +
    'hundreds thousands'
  ).split(' '),
  elision: null,
  isPlural: (word) =>
    /^(?:people|persons|men|women|children|feet)$|[^s]s$/.test(word) && !singulars.has(word),
  temperature: { minus: ['minus', 'negative'], degrees: ['degree', 'degrees'] },
  labels:
    'press dial extension page chapter room flight gate version platform channel section'.split(
      ' ',
    ),
  codes: 'code passcode password pin number digits account card ending extension'.split(' '),
  countingOnes: ['one'],
  fractionArticles: ['a', 'an', 'one'],
  pairJoints: ['to', 'or', 'and'],
  pairArticles: ['the'],
  phone: (number) => {
    const [, country, area, exchange, line] =
      /^(1(?=\d{10}$))?([2-9]\d\d(?=\d{7}$))?([2-9]\d\d)(\d{4})$/.exec(number) ?? [];
    if (line === undefined) return null;
    return [country, area, exchange, line].filter((group) => group !== undefined).join('-');
  },
  time: {
    before: "at|until|till|by|around|before|after|from|it is|it was|time is|it's|it’s".split('|'),
    between: [],
    hour: [],
    after: ["o'clock", 'o’clock'],
    halves: ['am', 'pm', 'a.m', 'p.m'],
    beside: [['to'], ['past']],
    partsBefore: ['half past', 'quarter past', 'quarter to', 'quarter after', 'quarter of'],
    partsAfter: ['and a half', 'and a quarter', 'and three quarters'],
    write: (hour, minutes, word) =>
      [minutes === null ? `${hour}` : `${hour}:${minutes}`, word].join(' ').trim(),
  },
};
