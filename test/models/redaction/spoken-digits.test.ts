// The digits of numbers that are said in pairs, hundreds and thousands, in each language.
import test from 'ava';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { spokenDigits } from '../../../models/redaction/spoken-digits.ts';
import { marked } from './marked.ts';

const names: Readonly<Record<string, string>> = {
  en: `
    oh 0
    o 0
    nought 0
    nineteen 19
    twenty-one 21
    eight hundred 800
    four thousand one hundred eleven 4111
    nine thousand nine hundred ninety nine 9999
    ten thousand null
    a null
    hundred null
    first null`,
  de: `
    null 0
    zwo 2
    einundzwanzig 21
    hunderteinundsiebzig 171
    zweihundert 200
    viertausend 4000
    eine null
    hundert null`,
  es: `
    cero 0
    veintitrés 23
    treinta y cuatro 34
    seiscientos doce 612
    cuatro mil 4000
    mil null
    y null`,
  fr: `
    zéro 0
    soixante et onze 71
    quatre vingt dix-sept 97
    nonante et un 91
    quatre mille cent onze 4111
    cent null`,
  it: `
    zero 0
    ventotto 28
    trentatré 33
    trecentotrentacinque 335
    mille null`,
  nl: `
    nul 0
    vierendertig 34
    drieëntwintig 23
    zeshonderd 600
    honderd null`,
  pt: `
    zero 0
    meia 6
    vinte e um 21
    seiscentos e doze 612
    mil null`,
  ru: `
    ноль 0
    восемь 8
    девятьсот двенадцать 912
    триста сорок пять 345
    тысяча девятьсот восемьдесят 1980
    сто null
    тысяча null`,
  xx: `
    seven 7`,
};

for (const [language, table] of Object.entries(names)) {
  test(`${language}: digits of spoken numbers, without bare hundreds and articles`, (t) => {
    for (const line of table.trim().split('\n')) {
      const words = line.trim().split(' ');
      const digits = words.pop()!;
      const said = spokenDigits(words, language);
      t.is(said?.digits ?? 'null', digits, line);
      if (said) t.is(said.count, words.length, line);
    }
  });
}

const examples: readonly (readonly [string, string, string])[] = [
  [
    'es',
    'mi teléfono es',
    'seiscientos doce trescientos cuarenta y cinco seiscientos setenta y ocho',
  ],
  ['fr', 'ma carte est le', 'quatre mille cent onze onze cent onze onze cent onze onze cent onze'],
  [
    'de',
    'es ist',
    'null hunderteinundsiebzig zweihundertvierunddreißig fünfhundertsiebenundsechzig',
  ],
  ['it', 'il mio telefono è', 'trecentotrentacinque dodici trentaquattro cinquecentosessantasette'],
  ['fr', 'mon compte est', 'quarante quatre-vingt-six vingt quatre-vingt-deux'],
  ['de', 'meine Kontonummer ist', 'achthundertzwanzig fünfhundertfünfunddreißig neunhunderteins'],
  ['it', 'il mio cellulare è', 'trecentosettanta duecentodieci seicento quattro'],
  ['nl', 'mijn rekening is', 'zeshonderdzestig vierhonderdveertig negenhonderdachtentachtig'],
  ['de', 'Kontonummer', 'doppel vier null null fünf fünf eins zwei'],
  ['es', 'mi cuenta es', 'doble cero cuatro cinco seis siete ocho'],
  ['nl', 'mijn rekeningnummer is', 'dubbel vier nul nul vijf vijf een twee'],
  ['ru', 'мой телефон', 'восемь девятьсот двенадцать триста сорок пять шестьдесят семь сорок'],
  ['ru', 'номер счёта', 'сорок восемьсот семнадцать восемьсот десять дважды пять один два'],
  ['en', 'account number', 'eight seven double zero double-oh four two'],
  [
    'en',
    'the card',
    'four thousand one hundred eleven, eleven eleven, eleven eleven, eleven eleven',
  ],
];

test('numbers that are said in hundreds and with repeated digits are removed whole', (t) => {
  for (const [language, before, number] of examples) {
    const found = marked(`${before} ${number}`, { language });
    t.regex(found, new RegExp(`^${before} \\w+<${number}>$`, 'u'));
  }
});

test('long numbers in another language that is looked for are found, short ones are words', (t) => {
  const found = (text: string): number => {
    const words = text.split(' ').map((word, i) => ({
      ...{ word, start: i, end: i, speaker: 0, language: 'en' },
    }));
    return findSensitive(words, redactionOf({ kinds: ['account'] }).redact!, { others: ['de'] })
      .length;
  };
  t.is(found('my account is eins zwei drei vier fünf sechs sieben'), 1);
  t.is(found('my account is eins zwei drei vier fünf sechs'), 0);
});
