// What announces a number: phrases of two kinds, and words of each language.
import test from 'ava';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import type { Redaction } from '../../../models/contract/redaction.ts';
import { marked } from './marked.ts';

const phrases: readonly (readonly [string, Redaction['kinds'][number], string])[] = [
  ['en', 'phone', "A: What's the phone number on your account? B: phone<415 555 2671>"],
  ['es', 'phone', 'A: ¿Cuál es el teléfono de su cuenta? B: phone<612 345 678>'],
  ['de', 'phone', 'A: Wie ist die Telefonnummer zu Ihrem Konto? B: phone<0176 12345678>'],
  ['en', 'account', 'A: Can I have the account number for your phone? B: account<12345678>'],
  ['en', 'account', 'A: Which account number should we call you about? B: account<123456789>'],
  ['en', 'card', 'A: And the card number for your mobile? B: card<4242 4242 4242 4241>'],
  ['en', 'phone', 'A: The mobile number linked to your card? B: phone<07700 900123 1>'],
];

test('of two kinds in a phrase the first is meant, and the other one may be', (t) => {
  for (const [language, kind, text] of phrases) {
    const said = text.replaceAll(/\w+<|>/g, '');
    const expected = text.replaceAll(/[AB]: /g, '');
    const redaction = redactionOf({ kinds: [kind] }).redact!;
    t.is(marked(said, { language, redaction }), expected);
    t.regex(marked(said, { language }), />$/, 'with all kinds');
  }
});

test('a number that another phrase announced is none of a kind before it', (t) => {
  const redaction = redactionOf({ kinds: ['phone'] }).redact!;
  for (const text of [
    'A: Your phone? B: none A: And the account number? B: 12345678',
    'my phone is off. My account number is 12345678',
    'you have my phone. Now account 12345678',
    'this is my phone and my account number is 12345678',
  ])
    t.is(marked(text, { redaction }), text.replaceAll(/[AB]: /g, ''));
});

const words: readonly (readonly [string, string])[] = [
  ['en', 'cvv2 is card<737>'],
  ['en', 'the CVV2 code is card<7 3 7>'],
  ['en', 'C V V is card<737>'],
  ['en', 'A: the three-digit code? B: card<737>'],
  ['fr', "les trois chiffres au dos de la carte c'est card<1 2 3>"],
  ['fr', 'Le numéro au verso de la carte est card<204>'],
  ['de', 'die drei Ziffern auf der Rückseite der Karte sind card<1 2 3>'],
  ['de', 'die dreistellige Nummer auf der Rückseite ist card<eins zwei drei>'],
  ['es', 'los tres dígitos de atrás de la tarjeta son card<1 2 3>'],
  ['es', 'los tres números del reverso son card<uno dos tres>'],
  ['it', 'le tre cifre sul retro della carta sono card<1 2 3>'],
  ['nl', 'de drie cijfers op de achterkant van de kaart zijn card<1 2 3>'],
  ['pt', 'os três dígitos atrás do cartão são card<1 2 3>'],
  ['it', 'mi chiami al phone<347 1234567>'],
  ['it', 'mi può richiamare al phone<347 1234567>'],
  ['it', 'chiamatemi al phone<347 1234567>'],
  ['it', 'telefonami al phone<347 1234567>'],
  ['it', 'mi chiamo Luca e il pacco 3471234567'],
  ['es', 'puede llamarme al phone<612 345 678>'],
  ['es', 'su número de contacto es phone<612 345 678>'],
  ['es', 'lo localizo en el phone<612 345 678>'],
  ['es', 'mi Whatsapp es phone<612 345 678>'],
  ['pt', 'pode me ligar no phone<11 98765 4321>'],
  ['pt', 'me liga no phone<11 98765 4321>'],
  ['pt', 'o número de contato é phone<11 98765 4321>'],
  ['pt', 'meu WhatsApp é phone<11 98765 4321>'],
  ['en', 'you can ring me on phone<7700 900123>'],
  ['en', 'customer number is 4455667788'],
  ['en', 'The security code is card<618.> I was born in 1982.'],
  ['en', 'A: the security code? B: it says card<1982> here'],
  ['en', 'my cvv is card<618> and we moved in nineteen ninety five'],
  ['de', 'Die Prüfziffer ist card<618.> Seit 1995 wohne ich hier.'],
  ['es', 'mi tarjeta termina en card<1982>'],
  ['en', 'member number 4455667788'],
  ['de', 'meine Kundennummer ist 4455667788'],
  ['es', 'el número de cliente es 4455667788'],
  ['fr', 'mon numéro client est 4455667788'],
  ['it', 'il codice cliente è 4455667788'],
  ['nl', 'mijn klantnummer is 4455667788'],
  ['en', 'my phone has serial number 44912077'],
  ['en', 'the serial number of my phone is 4 4 9 1 2 0 7 7'],
  ['en', 'A: the serial number on your mobile phone? B: It is 4 4 9 1 2 0 7 7'],
  ['en', 'A: your order number? B: it is 4155552671'],
  ['en', 'I am in the room on my phone phone<5552671>'],
  ['en', 'the serial number is lost but my phone is phone<415 555 2671>'],
  ['en', 'A: the serial number? B: my phone is phone<5552671>'],
  ['en', 'the model on my phone number phone<415 555 2671>'],
  ['de', 'das Handy hat die Seriennummer 44912077'],
  ['de', 'die Seriennummer von meinem Handy ist 44912077'],
  ['es', 'mi móvil tiene el número de serie 44912077'],
  ['es', 'el número de serie del teléfono es 44912077'],
  ['fr', 'le numéro de série de mon portable est 44912077'],
  ['it', 'il numero di serie del telefono è 44912077'],
  ['nl', 'het serienummer van mijn telefoon is 44912077'],
  ['pt', 'o número de série do telefone é 44912077'],
  ['fr', "mon numéro de sécu c'est account<un quatre-vingt-cinq zéro cinq soixante-quinze>"],
  ['de', 'meine Steuernummer ist account<21 815 08150>'],
  ['de', 'die Versichertennummer lautet account<123456789>'],
  ['en', 'A: last 4 of social? B: account<6789>'],
  ['es', 'los últimos cuatro de mi tarjeta son card<4242>'],
];

test('numbers are announced, or those of something else named, in words of each language', (t) => {
  for (const [language, expected] of words) {
    const said = expected.replaceAll(/\w+<|>/g, '');
    t.is(marked(said, { language }), expected.replaceAll(/[AB]: /g, ''));
  }
});

test('announced numbers have the lengths of their kind', (t) => {
  for (const [text, expected] of [
    ['my cvv is 12', 'my cvv is 12'],
    ['my account is 12345', 'my account is 12345'],
    ['my account is 123456', 'my account is account<123456>'],
    ['my phone is 123456', 'my phone is 123456'],
    ['my phone is 1234567', 'my phone is phone<1234567>'],
    ['the security code for my account is 12345', 'the security code for my account is 12345'],
    ['the account number on my phone is 415 555 2671', 'is phone<415 555 2671>'],
    ['my account is ABCD123', 'my account is ABCD123'],
  ] as const)
    t.true(marked(text).endsWith(expected), marked(text));
});
