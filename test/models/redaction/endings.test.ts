// Numbers of which only the last digits are said.
import test from 'ava';
import { marked } from './marked.ts';

const endings: readonly (readonly [string, string, string?])[] = [
  ['the card ending in 4242 please', 'the card ending in card<4242> please'],
  ['visa ending 4242 expires 2027', 'visa ending card<4242> expires 2027'],
  ['A: which card B: it ends with 4 2 4 2', 'which card it ends with card<4 2 4 2>'],
  [
    'A: which card B: the one ending in 4.2.4.2. Thank you',
    'which card the one ending in card<4.2.4.2.> Thank you',
  ],
  ['my card ends in 4,2,4,2', 'my card ends in card<4,2,4,2>'],
  ['my card ends four two four two', 'my card ends card<four two four two>'],
  ['my account ends 7731', 'my account ends account<7731>'],
  ['meine Karte endet vier zwo vier zwo', 'meine Karte endet card<vier zwo vier zwo>', 'de'],
  ['card ends in four two four two', 'card ends in card<four two four two>'],
  ['the last four of the card are 4242', 'the last four of the card are card<4242>'],
  ['my card last four 4242', 'my card last four card<4242>'],
  ['my card last four double four forty two', 'my card last four card<double four forty two>'],
  ['A: your card and the last four B: Sure 4242', 'your card and the last four Sure card<4242>'],
  ['last four digits of my social are 1234', 'last four digits of my social are account<1234>'],
  ['A: last four of your social please B: 12 34', 'last four of your social please account<12 34>'],
  ['the phone ends in 0199', 'the phone ends in phone<0199>'],
  ['my card ends in uh well 4242', 'my card ends in uh well card<4242>'],
  ['my card is ending in 123456', 'my card is ending in card<123456>'],
  ['you have my phone, my card ends in 4242', 'you have my phone, my card ends in card<4242>'],
  ['meine Karte endet auf vier zwo 42', 'meine Karte endet auf card<vier zwo 42>', 'de'],
  ['tarjeta terminada en 4242', 'tarjeta terminada en card<4242>', 'es'],
  ['ma carte se termine par 42 42', 'ma carte se termine par card<42 42>', 'fr'],
  ['la carta finisce con 4242', 'la carta finisce con card<4242>', 'it'],
  ['mijn kaart eindigt op 4242', 'mijn kaart eindigt op card<4242>', 'nl'],
  ['últimos quatro dígitos do cartão 4242', 'últimos quatro dígitos do cartão card<4242>', 'pt'],
];

test('the last digits of a number that was named are of its kind', (t) => {
  for (const [text, expected, language = 'en'] of endings) {
    t.is(marked(text, { language }), expected);
  }
});

test('what ends in other digits stays, also where a card was spoken of', (t) => {
  for (const text of [
    'my card is for the room ending in 12',
    'my card is ending in 123',
    'my card is ending in 1234567',
    'my card ends in uh well um 4242',
    'my card is for the room ending in 1204',
    'I paid by card and the order number that ends in 4242 is late',
    'the last four of the order on my card are 4242',
    'your phone contract ends in 2026',
    'your phone contract ends 2026',
    'my card ends on page 4242',
    'my card and the serial number that ends in 4242',
    'my card was charged 4242 times in the last four weeks of 2019',
    'the card ending soon was one of 4242 we sent',
    'it ends with 4 2 4 2',
    'my card reader has version 1.2.3.4',
  ])
    t.is(marked(text), text);
});
