// Numbers of which several follow each other: answers to questions, and what is said twice.
import test from 'ava';
import { marked } from './marked.ts';

/** What was said, of a text with its findings in brackets. */
function unmarked(text: string): string {
  return text.replaceAll(/\b(?:card|account|phone|email)<|>/g, '');
}

const answers: readonly (readonly [string, string])[] = [
  [
    'en',
    "What's your phone number? B: phone<07700 900123> A: And your date of birth? B: 25 12 1985",
  ],
  ['en', 'Your phone? B: phone<415 555 2671> A: Thank you, and your date of birth? B: 03 12 1985'],
  ['en', 'Your phone? B: phone<415 555 2671> A: Thank you, and your order number? B: 88213345'],
  [
    'en',
    'Your phone number? B: phone<four one five, five five five, two six seven one> ' +
      'A: And when were you born? B: oh three twelve nineteen eighty five',
  ],
  ['en', 'The card number? B: card<4242 4242 4242 4241> A: And the expiry date? B: 12 27'],
  [
    'en',
    'The card number? B: card<4242 4242 4242 4242> A: And the expiry date? B: 12 27 ' +
      'A: And the three digits on the back? B: card<123>',
  ],
  ['en', 'Can I have your account number? B: account<12345678> A: How many items? B: 3'],
  ['en', 'Can I have your account number? B: account<12345678> A: And the amount? B: 250 dollars'],
  ['en', 'Your phone number? B: phone<415 555 2671> A: Thank you. The zip code, please. B: 94110'],
  [
    'de',
    'Wie ist Ihre Telefonnummer? B: phone<0176 12345678> A: Und Ihr Geburtsdatum? B: 03 12 1985',
  ],
  ['de', 'Ihre Telefonnummer? B: phone<0176 12345678> A: Und die Postleitzahl? B: 10115'],
  ['de', 'Ihre Kontonummer? B: account<1234567890> A: Und die Bankleitzahl? B: account<10070024>'],
  [
    'fr',
    'Votre numéro de téléphone ? B: phone<06 12 34 56 78> A: Et votre date de naissance ? ' +
      'B: 03 12 1985',
  ],
  ['es', '¿Su teléfono? B: phone<612 345 678> A: ¿Y su fecha de nacimiento? B: 03 12 1985'],
  ['it', 'Il telefono? B: phone<347 1234567> A: E la data di nascita? B: 03 12 1985'],
  ['pt', 'O seu telefone? B: phone<912 345 678> A: E a data de nascimento? B: 03 12 1985'],
  ['nl', 'Uw telefoonnummer? B: phone<06 12345678> A: En uw geboortedatum? B: 03 12 1985'],
];

test('the answer to a question for something else is no part of the number before', (t) => {
  for (const [language, expected] of answers) {
    const found = marked(`A: ${unmarked(expected)}`, { language });
    t.is(found, expected.replaceAll(/[AB]: /g, ''));
  }
});

test('a number goes on after a question about itself', (t) => {
  for (const [language, expected] of [
    ['en', 'Your phone? B: phone<415 555 A: okay, and then? B: 2671>'],
    ['en', 'Your account number? B: account<1234 5678 A: sorry, can you repeat? B: 9012>'],
    ['de', 'Ihre Nummer? Ihr Telefon? B: phone<0176 1234 A: ja, und weiter? B: 5678>'],
  ] as const) {
    const found = marked(`A: ${unmarked(expected)}`, { language });
    t.is(found.replaceAll(/phone<|account<|>/g, ''), unmarked(expected).replaceAll(/[AB]: /g, ''));
    t.is(found.match(/</g)?.length, 1, found);
    t.regex(found, /<\d+ \d+ .* \d+>$/);
  }
});

const twice: readonly (readonly [string, string])[] = [
  ['en', 'My phone number is phone<415 555 2671.> phone<415 555 2671.>'],
  ['en', 'My phone number is phone<415 555 2671,> yes, phone<415 555 2671.>'],
  ['en', 'My phone number is phone<415 555 2671> phone<415 555 2671>'],
  ['en', 'My phone number is phone<415-555-2671> and phone<415-555-2672.>'],
  [
    'en',
    'My phone number is phone<four one five, five five five, two six seven one.> Yes. ' +
      'phone<Four one five, five five five, two six seven one.>',
  ],
  ['en', 'My account number is account<1234567890.> Okay, account<1234567890.>'],
  ['en', 'sort code account<20 00 00 12345678> and then account<20 00 00 87654321>'],
  ['en', 'my card is card<4242 4242 4242 4241,> okay, card<4242 4242 4242 4241>'],
  ['en', 'My phone is phone<415 555 2671> and 03 12 1985'],
  ['de', 'meine Nummer ist phone<0176 12345678,> also phone<0176 12345678>'],
  ['de', 'meine Nummer ist phone<0176 12345678> und phone<0151 23456789>'],
  ['fr', "mon numéro c'est le phone<06 12 34 56 78> et phone<07 12 34 56 79>"],
  ['es', 'mi teléfono es phone<612 345 678> y phone<612 345 679>'],
  ['it', 'il mio numero è phone<347 1234567> e phone<347 7654321>'],
  ['nl', 'mijn nummer is phone<06 12345678> en phone<06 87654321>'],
  ['pt', 'meu telefone é phone<912 345 678> e phone<912 345 679>'],
  ['pt', 'o telemóvel é phone<966 777 888> e o fixo é phone<213 444 555>'],
  ['es', 'mi teléfono es phone<612 345 678> o phone<612 345 679>'],
  ['en', 'write 12 34 56, phone<415 555 2671> today'],
  ['en', 'account number account<9191 8282 7373 6464 9595 8686>'],
];

test('numbers that are said twice, or joined, are found each by itself', (t) => {
  for (const [language, expected] of twice) {
    t.is(marked(unmarked(expected), { language }), expected);
  }
});
