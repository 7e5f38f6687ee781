// Spoken numbers of Italian, which are written as one word up to a million.
import {
  alone,
  compoundSplitter,
  counted,
  numerals,
  ordinals,
  type Numeral,
  type NumberLanguage,
} from './number-language.ts';

const digits = 'uno|un|una due tre|tré quattro cinque sei sette otto nove';
const teens =
  'dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove';
const tens = 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta';

const units = counted('digit', digits, { from: 1 });
const decades = counted('tens', tens, { from: 20, step: 10 });

/** `ventuno`, `ventotto`: the vowel of the tens is lost before another. */
function joinedPairs(): Record<string, Numeral> {
  const joined = Object.entries(decades).flatMap(([decade, { value: ten }]) =>
    Object.entries(units).map(([unit, { value }]) => {
      const stem = /^[uo]/.test(unit) ? decade.slice(0, -1) : decade;
      return [`${stem}${unit}`, ten + value] as const;
    }),
  );
  return numerals('pair', Object.fromEntries(joined));
}

const compounds: Readonly<Record<string, Numeral>> = {
  ...units,
  ...counted('pair', teens, { from: 10 }),
  ...decades,
  ...joinedPairs(),
  // `centotto`, `centottanta`: before another o one of the two is written.
  ...numerals('hundred', { cento: 100, cent: 100 }),
  ...numerals('scale', { mille: 1e3, mila: 1e3 }),
};
const separate: Readonly<Record<string, Numeral>> = {
  ...numerals('zero', { zero: 0 }),
  ...numerals('scale', { milione: 1e6, milioni: 1e6, miliardo: 1e9, miliardi: 1e9 }),
  ...alone(
    ordinals({
      ...counted(
        'digit',
        'primo|prima secondo|seconda terzo|terza quarto|quarta quinto|quinta sesto|sesta ' +
          'settimo|settima ottavo|ottava nono|nona',
        { from: 1 },
      ),
      ...numerals('pair', { decimo: 10, decima: 10 }),
    }),
  ),
};

const split = compoundSplitter(compounds);

function read(word: string): readonly Numeral[] | null {
  if (Object.hasOwn(separate, word)) return [separate[word]!];
  if (word === 'cent') return null;
  return split(word) ?? readOrdinal(word);
}

/** `ventunesimo`: the cardinal number without its last vowel, except after three and six. */
function readOrdinal(word: string): readonly Numeral[] | null {
  const [, stem] = /^(.+)esim[oaie]$/.exec(word) ?? [];
  if (stem === undefined) return null;
  for (const vowel of ['', 'o', 'i', 'e', 'a', 'é']) {
    const parts = split(stem + vowel);
    const last = parts?.at(-1);
    if (!parts || !last) continue;
    const [first, ...rest] = [...parts.slice(0, -1), { ...last, ordinal: true as const }];
    // `cinque centesimi` are five of them: ordinal numbers are one word.
    return [{ ...first!, isAlone: true }, ...rest];
  }
  return null;
}

/** What is counted most. */
const plurals = new Set(
  (
    'persone uomini donne bambini ragazzi ragazze clienti ospiti amici amiche colleghi studenti ' +
    'dipendenti partecipanti visitatori passeggeri chiamate messaggi'
  ).split(' '),
);

export const italian: NumberLanguage = {
  code: 'it',
  read,
  joints: [],
  vigesimal: false,
  bareScales: true,
  mostHundreds: 9,
  repeats: { doppio: 2, doppia: 2, triplo: 3 },
  points: { virgola: ',', punto: '.' },
  percent: [['per', 'cento'], ['percento']],
  currencies: { euro: 'EUR', dollaro: 'USD', dollari: 'USD' },
  pricedCurrencies: {},
  coins: ['centesimi', 'franchi', 'sterline', 'yen', 'rubli', 'lire'],
  cents: ['centesimo', 'centesimi'],
  centJoints: ['e'],
  joinsCents: true,
  afterCents: 'al allo alla all a per il lo la l ogni ciascuno ciascuna cadauno e ma'.split(' '),
  months: (
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre ' +
    'dicembre'
  ).split(' '),
  doubtfulMonths: [],
  dayJoints: [],
  dayAfterMonth: false,
  ordinalDays: false,
  ordinal: (number, word) => `${number}${word.endsWith('a') ? 'ª' : 'º'}`,
  durations: [],
  ordinalNouns: [],
  beforeYears: null,
  decades: [],
  elision: /^(?:l|all|dall|dell|nell|sull)['’]/i,
  isPlural: (word) => plurals.has(word),
  temperature: { minus: ['meno'], degrees: ['grado', 'gradi'] },
  labels: 'pagina capitolo interno camera binario versione volo sezione uscita'.split(' '),
  codes: 'codice pin numero cifre conto carta interno'.split(' '),
  countingOnes: ['uno'],
  fractionArticles: ['un', 'una'],
  pairJoints: ['a', 'al', 'alle', 'o', 'e'],
  pairArticles: ['il', 'la', 'le'],
  phone: (number) =>
    /^3\d{9}$/.test(number) ? number.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3') : null,
  time: {
    before: ['alle', 'le', 'dalle', 'all', 'ore'],
    between: ['e'],
    hour: [],
    after: [],
    halves: [],
    beside: [['meno']],
    partsBefore: [],
    partsAfter: ['e mezza', 'e mezzo', 'e un quarto', 'e tre quarti', 'meno un quarto'],
    write: (hour, minutes) => `${hour}:${minutes}`,
  },
};
