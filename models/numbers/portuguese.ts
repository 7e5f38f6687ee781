// Spoken numbers of Portuguese, of Portugal and Brazil; they are only read.
import { counted, fromTable, numerals, type NumeralLanguage } from './number-language.ts';

const teens =
  'dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito ' +
  'dezenove|dezanove';
const hundreds =
  'duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas quinhentos|quinhentas ' +
  'seiscentos|seiscentas setecentos|setecentas oitocentos|oitocentas novecentos|novecentas';

const table = {
  ...numerals('zero', { zero: 0 }),
  // `meia` is half a dozen.
  ...counted('digit', 'um|uma dois|duas três quatro cinco seis|meia sete oito nove', { from: 1 }),
  ...counted('pair', teens, { from: 10 }),
  ...counted('tens', 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa', {
    ...{ from: 20, step: 10 },
  }),
  ...numerals('hundreds', { cem: 100, cento: 100 }),
  ...counted('hundreds', hundreds, { from: 200, step: 100 }),
  ...numerals('scale', { mil: 1e3 }),
  ...numerals('and', { e: 0 }),
};

export const portuguese: NumeralLanguage = {
  code: 'pt',
  read: fromTable(table),
  joints: ['tens', 'hundreds'],
  vigesimal: false,
  bareScales: true,
  mostHundreds: 9,
  repeats: { duplo: 2, dupla: 2, triplo: 3 },
};
