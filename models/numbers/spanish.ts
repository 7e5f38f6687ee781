// Spoken numbers of Spanish.
import {
  alone,
  counted,
  fromTable,
  numerals,
  ordinals,
  type NumberLanguage,
} from './number-language.ts';

const teens =
  'diez once doce trece catorce quince dieciséis|dieciseis diecisiete dieciocho diecinueve';
const twenties =
  'veintiuno|veintiún|veintiun|veintiuna veintidós|veintidos veintitrés|veintitres veinticuatro ' +
  'veinticinco veintiséis|veintiseis veintisiete veintiocho veintinueve';
const hundreds =
  'doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas ' +
  'quinientos|quinientas seiscientos|seiscientas setecientos|setecientas ' +
  'ochocientos|ochocientas novecientos|novecientas';

/** Both genders of ordinal numbers; `primer` and `tercer` stand before a masculine noun. */
function gendered(words: string): string {
  const both = (word: string): string => `${word}|${word.replace(/o$/, 'a')}`;
  return words.split(' ').map(both).join(' ');
}

const table = {
  ...numerals('zero', { cero: 0 }),
  ...counted('digit', 'uno|un|una dos tres cuatro cinco seis siete ocho nueve', { from: 1 }),
  ...counted('pair', teens, { from: 10 }),
  ...counted('pair', twenties, { from: 21 }),
  ...counted('tens', 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', {
    ...{ from: 20, step: 10 },
  }),
  ...numerals('hundreds', { cien: 100, ciento: 100 }),
  ...counted('hundreds', hundreds, { from: 200, step: 100 }),
  ...numerals('scale', { mil: 1e3, millón: 1e6, millon: 1e6, millones: 1e6 }),
  ...numerals('and', { y: 0 }),
  ...alone(
    ordinals({
      ...numerals('digit', { primer: 1, tercer: 3 }),
      ...counted(
        'digit',
        gendered('primero segundo tercero cuarto quinto sexto séptimo octavo noveno'),
        { from: 1 },
      ),
      ...counted('pair', gendered('décimo undécimo duodécimo decimotercero decimocuarto'), {
        from: 10,
      }),
      ...counted(
        'pair',
        gendered('decimoquinto decimosexto decimoséptimo decimoctavo decimonoveno'),
        {
          from: 15,
        },
      ),
      ...counted('pair', gendered('vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo'), {
        ...{ from: 20, step: 10 },
      }),
    }),
  ),
};

/** Words in -s that may follow a time. */
const others = new Set(
  (
    'unas unos estas estos esas esos todas todos antes entonces horas ' +
    'pues tras lunes martes miércoles jueves viernes gracias pasadas exactas'
  ).split(' '),
);

export const spanish: NumberLanguage = {
  code: 'es',
  read: fromTable(table),
  joints: ['tens'],
  vigesimal: false,
  bareScales: true,
  mostHundreds: 9,
  repeats: { doble: 2, triple: 3 },
  points: { coma: ',', punto: '.' },
  percent: [
    ['por', 'ciento'],
    ['por', 'cien'],
  ],
  currencies: { euro: 'EUR', euros: 'EUR', dólar: 'USD', dólares: 'USD' },
  pricedCurrencies: {},
  coins: ['pesos', 'soles', 'libras', 'yenes', 'céntimos', 'centavos', 'bolívares'],
  cents: ['céntimo', 'céntimos', 'centavo', 'centavos'],
  centJoints: ['con', 'y'],
  joinsCents: true,
  afterCents: 'por al a cada el la los las para y pero'.split(' '),
  months: (
    'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre ' +
    'diciembre'
  ).split(' '),
  doubtfulMonths: [],
  dayJoints: ['de'],
  dayAfterMonth: false,
  ordinalDays: false,
  ordinal: (number, word) => `${number}.${word.endsWith('a') ? 'ª' : 'º'}`,
  durations: [],
  ordinalNouns: [],
  beforeYears: null,
  decades: [],
  elision: null,
  isPlural: (word) => /..(?<!m)[aeo]s$/.test(word) && !others.has(word),
  temperature: { minus: ['menos'], degrees: ['grado', 'grados'] },
  labels:
    'página capítulo extensión habitación puerta marque pulse versión vuelo andén sección'.split(
      ' ',
    ),
  codes: 'código clave contraseña pin número dígitos cifras cuenta tarjeta extensión'.split(' '),
  countingOnes: ['uno'],
  fractionArticles: ['un', 'una'],
  pairJoints: ['o', 'a', 'al', 'y'],
  pairArticles: ['el', 'la', 'las'],
  phone: (digits) =>
    digits.length === 9 ? digits.replace(/^(\d{3})(\d\d)(\d\d)(\d\d)$/, '$1 $2 $3 $4') : null,
  time: {
    before: ['las', 'la'],
    between: ['y'],
    hour: [],
    after: [],
    halves: [],
    beside: [['menos']],
    partsBefore: [],
    partsAfter: ['y media', 'y medio', 'y cuarto', 'menos cuarto'],
    write: (hour, minutes) => `${hour}:${minutes}`,
  },
};
