// Numbers of documents with letters in them.
import test from 'ava';
import { marked } from './marked.ts';

const codes: readonly (readonly [string, string])[] = [
  ['es', 'mi DNI es account<12345678Z>'],
  ['es', 'mi DNI es account<12345678-Z>'],
  ['es', 'mi DNI es account<12.345.678-Z>'],
  ['es', 'mi NIE es account<X1234567L>'],
  ['es', 'mi DNI es account<12345678 zeta>'],
  ['es', 'mi DNI es account<12345678, letra zeta.> Gracias'],
  ['es', 'mi DNI es account<12345678 con la letra ene> y llamo por la factura'],
  ['es', 'mi DNI es account<uno dos tres cuatro cinco seis siete ocho letra Z>'],
  ['es', 'mi DNI es account<doce treinta y cuatro cincuenta y seis setenta y ocho zeta>'],
  ['es', 'mi DNI es account<14 36 76 92 i griega>'],
  ['es', 'mi DNI es account<75048381 doble uve>'],
  ['es', 'mi DNI es account<29999984 a>'],
  ['es', 'mi DNI es account<12345678 y la letra es la zeta>'],
  ['es', 'mi NIE es account<equis 1234567 ele>'],
  ['es', 'A: dígame su DNI B: account<12345678 A: ¿y la letra? B: la zeta>'],
  ['en', 'my passport number is account<X12345678>'],
  ['en', 'my member ID is account<W123456789>'],
  ['en', 'my policy number is account<AB123456>'],
  ['en', 'my policy number is account<HM 4471 9920>'],
  ['en', 'my account number is account<A445566.> Thanks'],
  ['en', 'national insurance is account<QQ 12 34 56 C.> I live here'],
  ['en', "my driver's license is account<D4482019>"],
  ['en', 'my passport number is account<A as in apple, B as in boy, one two three four five six>'],
  ['en', "my driver's license is account<D as in dog four four eight two zero one nine>"],
  ['en', 'policy number account<H for hotel M for mike 4471 9920>'],
  ['de', 'mein Reisepass ist account<C wie Cäsar F wie Friedrich 4 5 6 7 8 9 1>'],
  ['es', 'mi pasaporte es account<A como Ana B como Berta 1 2 3 4 5 6>'],
  ['pt', 'o meu passaporte é account<A como Ana B como Berta 1 2 3 4 5 6>'],
  ['nl', 'mijn paspoort is account<A van Anna B van Bernard 1 2 3 4 5 6>'],
  ['nl', 'mijn paspoortnummer is account<NX1234567>'],
  ['de', 'meine Personalausweisnummer ist account<L01X00T47>'],
  ['it', 'codice fiscale account<RSSMRA85T10A562S>'],
  ['it', 'codice fiscale account<r s s m r a 8 5 t 1 0 a 5 6 2 s>'],
  ['it', 'codice fiscale account<R S S M R A 8 0 A 0 1 H 5 0 1 U>'],
  ['it', 'codice fiscale account<r s s m r a 8 0 a 0 1 h 5 0 1 u>'],
  ['it', 'codice fiscale account<R S S M R A 8 0 A 0 1 H 5 0 1 E> grazie'],
  ['en', 'my account is account<A B 1 2 3 4 5> I think'],
  ['en', 'my account number is account<1,234,567,890>'],
  ['en', 'my IBAN is account<DE89370400440532013001>'],
  ['en', 'the IBAN is account<GB29 N W B K 60161331926819>'],
  ['en', 'IBAN account<DE89370400440532013000> and account 12345'],
];

test('letters and digits that were announced as a document or an account are removed', (t) => {
  for (const [language, expected] of codes)
    t.is(
      marked(expected.replaceAll(/account<|>/g, ''), { language }),
      expected.replaceAll(/[AB]: /g, ''),
    );
});

test('an IBAN and a telephone number beside it are both removed', (t) => {
  for (const expected of [
    'my phone is phone<415 555 2671> and the IBAN is account<DE89370400440532013000>',
    'the IBAN is account<DE89370400440532013000> and my phone phone<415 555 2671>',
  ])
    t.is(marked(expected.replaceAll(/\w+<|>/g, '')), expected);
});

test('what is no letter of a document stays beside its number', (t) => {
  for (const expected of [
    'mi DNI es account<12345678> y quiero una factura',
    'mi DNI es account<12345678> a nombre de Ana',
    'mi DNI es account<12345678> de Madrid',
    'mi DNI es account<12345678.> Ese día no estaba',
    'mi DNI es account<12345678> la dirección es otra',
    'mi DNI es account<12345678> y la letra no la sé',
    'mi cuenta es account<1234567890> zeta',
    'el nombre de la cuenta y account<1234567>',
  ])
    t.is(marked(expected.replaceAll(/account<|>/g, ''), { language: 'es' }), expected);
});

test('letters and digits of something else stay', (t) => {
  for (const text of [
    'A as in apple 4471 9920 is no number of mine',
    'my account has a D for drafts',
    'my account has order number A7739B12',
    'I flew from my account with BA2490',
    'X1234567L was on the box',
    'on my account I 1234 saw',
    'my account is for flat 3B in SW1A 1AA',
    'the account of the iPhone15ProMax',
    'the parcel DE89370400440532013001 came',
  ])
    t.is(marked(text), text);
});
