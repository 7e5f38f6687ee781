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
    'this is my phone and my account number is 12345678',
  ])
    t.is(marked(text, { redaction }), text.replaceAll(/[AB]: /g, ''));
});
