// Spoken numbers of German, which are written as one word up to a million.
import {
  compoundSplitter,
  counted,
  numerals,
  type Numeral,
  type NumberLanguage,
} from './number-language.ts';

const digits =
  'ein|eins|eine|einen|einer|einem zwei|zwo drei vier fünf|fuenf sechs sieben acht neun';
const teens =
  'zehn elf zwölf|zwoelf dreizehn vierzehn fünfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn';
const tens = 'zwanzig dreißig|dreissig vierzig fünfzig|fuenfzig sechzig siebzig achtzig neunzig';

const units = counted('digit', digits, { from: 1 });
const decades = counted('tens', tens, { from: 20, step: 10 });

/** `einundzwanzig`: the digit is spoken first. */
function reversedPairs(): Record<string, Numeral> {
  const joined = Object.entries(decades).flatMap(([decade, { value: ten }]) =>
    Object.entries(units).map(([unit, { value }]) => [`${unit}und${decade}`, ten + value] as const),
  );
  return numerals('pair', Object.fromEntries(joined));
}

const compounds = {
  ...units,
  ...counted('pair', teens, { from: 10 }),
  ...decades,
  ...reversedPairs(),
  ...numerals('hundred', { hundert: 100 }),
  ...numerals('scale', { tausend: 1e3 }),
  ...numerals('and', { und: 0 }),
};
const alone = {
  ...numerals('zero', { null: 0 }),
  ...numerals('scale', { million: 1e6, millionen: 1e6, milliarde: 1e9, milliarden: 1e9 }),
};

/** Ordinal numbers that are not the cardinal number and an ending. */
const irregular: Readonly<Record<string, string>> = { erst: 'ein', dritt: 'drei', siebt: 'sieben' };

const split = compoundSplitter(compounds);

function read(word: string): readonly Numeral[] | null {
  if (Object.hasOwn(alone, word)) return [alone[word as keyof typeof alone]!];
  return split(word) ?? readOrdinal(word);
}

/** `zweite`, `einundzwanzigster`: a stem in -t or -st with the ending of an adjective. */
function readOrdinal(word: string): readonly Numeral[] | null {
  const [, stem] = /^(.+t)(?:e|en|er|es|em)$/.exec(word) ?? [];
  if (stem === undefined) return null;
  const odd = Object.keys(irregular).find((each) => stem.endsWith(each));
  // `acht` loses the ending's t; from twenty the ending is -st. `Hunderte` are no hundredth.
  const bare = [
    ...(stem.endsWith('acht') ? [stem] : []),
    stem.slice(0, -1),
    ...(stem.endsWith('st') ? [stem.slice(0, -2)] : []),
  ];
  const candidates = odd ? [stem.slice(0, -odd.length) + irregular[odd]] : bare;
  for (const cardinal of candidates) {
    const parts = split(cardinal);
    const last = parts?.at(-1);
    if (parts && last) return [...parts.slice(0, -1), { ...last, ordinal: true }];
  }
  return null;
}

/** What is counted most. */
const plurals = new Set(
  (
    'leute personen menschen männer frauen kinder kunden kundinnen gäste mitarbeiter teilnehmer ' +
    'besucher schüler studenten anrufe nachrichten stück'
  ).split(' '),
);

export const german: NumberLanguage = {
  code: 'de',
  read,
  joints: ['hundreds', 'units'],
  vigesimal: false,
  bareScales: true,
  mostHundreds: 99,
  repeats: { doppel: 2, doppelt: 2, zweimal: 2, dreimal: 3 },
  points: { komma: ',', punkt: '.' },
  percent: [['prozent']],
  currencies: { euro: 'EUR', euros: 'EUR', dollar: 'USD', dollars: 'USD' },
  pricedCurrencies: {},
  coins: ['cent', 'franken', 'pfund', 'rubel', 'kronen', 'yen', 'rappen', 'zloty'],
  cents: ['cent'],
  centJoints: ['und'],
  joinsCents: false,
  afterCents: 'pro je für im am das die und jede jeden jedes bitte plus aber'.split(' '),
  months: (
    'januar jänner februar märz april mai juni juli august september oktober november ' + 'dezember'
  ).split(' '),
  doubtfulMonths: [],
  dayJoints: [],
  dayAfterMonth: false,
  ordinalDays: true,
  ordinal: (number) => `${number}.`,
  durations: [],
  ordinalNouns: [],
  beforeYears: null,
  decades: [],
  elision: null,
  isPlural: (word) => plurals.has(word),
  temperature: { minus: ['minus'], degrees: ['grad'] },
  labels: 'seite kapitel durchwahl zimmer gleis version linie raum abschnitt'.split(' '),
  codes: (
    'code pin nummer rufnummer telefonnummer kundennummer kontonummer kartennummer ziffern ' +
    'konto karte'
  ).split(' '),
  countingOnes: ['eins'],
  fractionArticles: ['ein', 'eine', 'einem', 'einen'],
  pairJoints: ['bis', 'oder', 'und'],
  pairArticles: ['den', 'dem', 'die', 'der', 'zum'],
  phone: () => null,
  time: {
    before: [],
    between: [],
    hour: ['uhr'],
    after: ['uhr'],
    halves: [],
    beside: [['vor'], ['nach']],
    partsBefore: 'halb|viertel|dreiviertel|viertel vor|viertel nach|kurz vor|kurz nach'.split('|'),
    partsAfter: [],
    write: (hour, minutes, word) =>
      minutes === null ? `${hour} ${word}` : `${hour}:${minutes} ${word}`,
  },
};
