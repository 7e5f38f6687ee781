// Spoken numbers of French, of France, Belgium and Switzerland.
import {
  alone,
  counted,
  fromTable,
  numerals,
  ordinals,
  type Numeral,
  type NumberLanguage,
} from './number-language.ts';

const cardinals = {
  ...counted('digit', 'un|une deux trois quatre cinq six sept huit neuf', { from: 1 }),
  ...counted('pair', 'dix onze douze treize quatorze quinze seize', { from: 10 }),
  ...counted('tens', 'vingt trente quarante cinquante soixante septante huitante|octante nonante', {
    ...{ from: 20, step: 10 },
  }),
  ...numerals('hundred', { cent: 100 }),
  ...numerals('scale', { mille: 1e3, million: 1e6, milliard: 1e9 }),
};

/** `cinquième`, `neuvième`, `trentième`: from the cardinal number. */
function ordinalOf(word: string): string {
  return `${word.replace(/e$/, '').replace(/f$/, 'v').replace(/q$/, 'qu')}ième`;
}

const table: Readonly<Record<string, Numeral>> = {
  ...numerals('zero', { zéro: 0 }),
  ...cardinals,
  ...numerals('tens', { vingts: 20 }),
  ...numerals('hundred', { cents: 100 }),
  ...numerals('scale', { millions: 1e6, milliards: 1e9, mil: 1e3 }),
  ...numerals('and', { et: 0 }),
  ...ordinals({
    ...Object.fromEntries(Object.entries(cardinals).map(([word, n]) => [ordinalOf(word), n])),
  }),
  ...alone(ordinals(numerals('digit', { premier: 1, première: 1, seconde: 2, second: 2 }))),
};

/** Words in -s that may follow a time. */
const others = new Set(
  (
    'leurs nous vous elles dans sans sous mais puis plus moins après vers précises depuis ' +
    'toujours jamais alors tous toutes mars rendez-vous cours'
  ).split(' '),
);

export const french: NumberLanguage = {
  code: 'fr',
  read: fromTable(table),
  joints: ['tens'],
  vigesimal: true,
  bareScales: true,
  mostHundreds: 19,
  repeats: { double: 2, triple: 3 },
  points: { virgule: ',', point: '.' },
  percent: [['pour', 'cent'], ['pourcent']],
  currencies: { euro: 'EUR', euros: 'EUR', dollar: 'USD', dollars: 'USD' },
  pricedCurrencies: {},
  coins: ['francs', 'livres', 'yens', 'centimes', 'roubles', 'dirhams'],
  cents: ['centime', 'centimes'],
  centJoints: ['et'],
  joinsCents: false,
  afterCents: 'par pour le la l les s chaque chacun chacune et mais'.split(' '),
  months:
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
      ' ',
    ),
  doubtfulMonths: [],
  dayJoints: [],
  dayAfterMonth: false,
  ordinalDays: false,
  ordinal: (number, word) => (number === '1' ? (word.endsWith('e') ? '1re' : '1er') : `${number}e`),
  durations: [],
  ordinalNouns: [],
  beforeYears: null,
  decades: [],
  elision: null,
  isPlural: (word) => /..[^s]s$/.test(word) && !others.has(word),
  temperature: { minus: ['moins'], degrees: ['degré', 'degrés'] },
  labels: 'page chapitre poste chambre porte tapez version vol quai section'.split(' '),
  codes: 'code pin numéro chiffres compte carte poste'.split(' '),
  countingOnes: [],
  fractionArticles: ['un', 'une'],
  pairJoints: ['à', 'au', 'ou', 'et'],
  pairArticles: ['le', 'la', 'les'],
  phone: (digits) => (/^0\d{9}$/.test(digits) ? digits.replaceAll(/(\d\d)(?=\d)/g, '$1 ') : null),
  time: {
    before: ['à', 'vers', 'dès', 'jusqu’à', "jusqu'à"],
    between: [],
    hour: ['heures', 'heure'],
    after: ['heures', 'heure'],
    halves: [],
    beside: [['heures', 'moins'], ['heure', 'moins'], ['moins']],
    partsBefore: [],
    partsAfter: (
      'heures et demie|heures et quart|heures moins le quart|heure et demie|heure et quart|' +
      'heure moins le quart|et demi|et demie'
    ).split('|'),
    write: (hour, minutes, word) => (minutes === null ? `${hour} ${word}` : `${hour} h ${minutes}`),
  },
};
