// Names of the numbers from 0 to 99, as people say the digits of a number one by one or in pairs.

interface NumberNames {
  /** 0 to 19, or as far as the language has words of their own; several are separated by `|`. */
  readonly ones: string;
  /** 20, 30, and so on. */
  readonly tens: string;
  /** The name of tens and ones together. */
  readonly compound: (tens: string, ones: string, digit: number) => readonly string[];
  /** Says the next digit twice, or three times. */
  readonly repeats?: Readonly<Record<string, number>>;
}

const spaced = (tens: string, ones: string): readonly string[] => [`${tens} ${ones}`];
const joinedBy =
  (word: string) =>
  (tens: string, ones: string): readonly string[] => [`${tens} ${word} ${ones}`];

/** With the accent that they have at the end of a word. */
const accentedOnes: Readonly<Record<string, string>> = {
  ...{ un: 'ún', dos: 'dós', tres: 'trés', seis: 'séis' },
};

const names: Readonly<Record<string, NumberNames>> = {
  en: {
    ones:
      'zero|oh|o|nought one two three four five six seven eight nine ten eleven twelve ' +
      'thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty|fourty fifty sixty seventy eighty ninety',
    compound: spaced,
    repeats: { double: 2, triple: 3, treble: 3 },
  },
  de: {
    ones:
      'null eins|ein zwei|zwo drei vier fünf|fuenf sechs sieben acht neun zehn elf ' +
      'zwölf|zwoelf dreizehn vierzehn fünfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig|dreissig vierzig fünfzig|fuenfzig sechzig siebzig achtzig neunzig',
    compound: (tens, ones, digit) => [`${digit === 1 ? 'ein' : ones}und${tens}`],
  },
  es: {
    ones:
      'cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece ' +
      'catorce quince dieciséis|dieciseis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    compound: (tens, ones) =>
      tens === 'veinte'
        ? [`veinti${ones}`, `veinti${accentedOnes[ones] ?? ones}`]
        : joinedBy('y')(tens, ones),
  },
  fr: {
    ones:
      'zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize ' +
      'quatorze quinze seize dix-sept dix-huit dix-neuf',
    tens: 'vingt trente quarante cinquante soixante',
    compound: (tens, ones, digit) =>
      digit === 1 ? [`${tens} et ${ones}`, `${tens} ${ones}`] : spaced(tens, ones),
  },
  it: {
    ones:
      'zero uno|un due tre quattro cinque sei sette otto nove dieci undici dodici ' +
      'tredici quattordici quindici sedici diciassette diciotto diciannove',
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    compound: (tens, ones, digit) => {
      const stem = digit === 1 || digit === 8 ? tens.slice(0, -1) : tens;
      return [`${stem}${ones}`, `${stem}${ones === 'tre' ? 'tré' : ones}`];
    },
  },
  nl: {
    ones:
      'nul een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien ' +
      'veertien vijftien zestien zeventien achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    compound: (tens, ones) => [`${ones}${ones.endsWith('e') ? 'ën' : 'en'}${tens}`],
  },
  pt: {
    ones:
      'zero um|uma dois|duas três quatro cinco seis|meia sete oito nove dez onze doze ' +
      'treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito ' +
      'dezenove|dezanove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    compound: joinedBy('e'),
  },
};

export interface SpokenDigits {
  /** Digits by name: words in lower case, one space between them, no hyphens. */
  readonly digits: ReadonlyMap<string, string>;
  readonly repeats: Readonly<Record<string, number>>;
  /** Words of the longest name. */
  readonly maxWords: number;
}

/** For a language without names here, those of English, which is mixed into many. */
export function spokenDigits(language: string): SpokenDigits {
  const known = Object.hasOwn(names, language) ? language : 'en';
  const cached = tables.get(known);
  if (cached) return cached;
  const table = tableOf(names[known]!, known);
  tables.set(known, table);
  return table;
}

const tables = new Map<string, SpokenDigits>();

function tableOf({ ones, tens, compound, repeats = {} }: NumberNames, language: string) {
  const digits = new Map<string, string>();
  const add = (name: string, value: number): void =>
    void digits.set(name.replaceAll('-', ' '), String(value));
  const units = ones.split(' ').map((each) => each.split('|'));
  units.forEach((all, value) => all.forEach((name) => add(name, value)));
  tens.split(' ').forEach((all, i) => {
    for (const ten of all.split('|')) {
      const value = 10 * (i + 2);
      add(ten, value);
      for (let digit = 1; digit < 10; digit += 1)
        for (const one of units[digit]!)
          for (const name of compound(ten, one, digit)) add(name, value + digit);
    }
  });
  if (language === 'fr') addFrench(units, add);
  const lengths = [...digits.keys()].map((name) => name.split(' ').length);
  return { digits, repeats, maxWords: Math.max(...lengths) };
}

/** 70 to 99 are counted from 60 and 80; Belgium and Switzerland have words of their own. */
function addFrench(
  units: readonly (readonly string[])[],
  add: (name: string, value: number) => void,
): void {
  add('quatre vingts', 80);
  add('quatre vingt', 80);
  for (let rest = 1; rest < 20; rest += 1) {
    for (const name of units[rest]!) {
      if (rest >= 10) add(`soixante ${rest === 11 ? 'et ' : ''}${name}`, 60 + rest);
      add(`quatre vingt ${name}`, 80 + rest);
    }
  }
  for (const [name, value] of [
    ['septante', 70],
    ['huitante', 80],
    ['nonante', 90],
  ] as const) {
    add(name, value);
    for (let rest = 1; rest < 10; rest += 1)
      for (const unit of units[rest]!)
        add(`${name} ${rest === 1 ? 'et ' : ''}${unit}`, value + rest);
  }
}
