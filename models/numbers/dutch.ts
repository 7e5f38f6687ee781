// Spoken numbers of Dutch, which are written as one word up to a thousand; they are only read.
import {
  compoundSplitter,
  counted,
  numerals,
  type Numeral,
  type NumeralLanguage,
} from './number-language.ts';

const units = counted('digit', 'een|één twee drie vier vijf zes zeven acht negen', { from: 1 });
const tens = counted('tens', 'twintig dertig veertig vijftig zestig zeventig tachtig negentig', {
  ...{ from: 20, step: 10 },
});
const teens = 'tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien';

/** `vierentwintig`, `drieëntwintig`: the digit is spoken first. */
function reversedPairs(): Record<string, Numeral> {
  const joined = Object.entries(tens).flatMap(([ten, { value }]) =>
    Object.entries(units).map(([unit, { value: one }]) => {
      return [`${unit}${unit.endsWith('e') ? 'ën' : 'en'}${ten}`, value + one] as const;
    }),
  );
  return numerals('pair', Object.fromEntries(joined));
}

const split = compoundSplitter({
  ...numerals('zero', { nul: 0 }),
  ...units,
  ...counted('pair', teens, { from: 10 }),
  ...tens,
  ...reversedPairs(),
  ...numerals('hundred', { honderd: 100 }),
  ...numerals('scale', { duizend: 1e3 }),
});

export const dutch: NumeralLanguage = {
  code: 'nl',
  read: split,
  joints: [],
  vigesimal: false,
  bareScales: true,
  mostHundreds: 99,
  repeats: { dubbel: 2, dubbele: 2, driedubbel: 3 },
};
