// Numbers and addresses as people say them: interrupted, announced in their language, or those of
// something else.
import test from 'ava';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { everything, marked } from './marked.ts';

const card = redactionOf({ kinds: ['card'] }).redact!;

const removed: readonly (readonly [string, string, string])[] = [
  ['en', 'my account number is 1234 hold on 5678 9012', 'account<1234> hold on account<5678 9012>'],
  ['en', 'my phone number is 415 sorry wait 555 2671', 'phone<415> sorry wait phone<555 2671>'],
  [
    'en',
    'my phone number is 415 sorry 555 wait 2671',
    'phone<415> sorry phone<555> wait phone<2671>',
  ],
  [
    'en',
    'my phone number is 41 sorry 55 wait 55 sorry 26 71',
    'phone<41> sorry phone<55> wait phone<55> sorry phone<26 71>',
  ],
  [
    'en',
    'a mobile number for you? 07827 sorry 486 sorry 859',
    'phone<07827> sorry phone<486> sorry phone<859>',
  ],
  [
    'en',
    'my account number is 722 sorry 574 let me see 01',
    'account<722> sorry account<574> let me see account<01>',
  ],
  ['en', 'my phone number is 397 erm 250 4156', 'phone<397 erm 250 4156>'],
  ['en', 'The S S N is 123 45 6789', 'account<123 45 6789>'],
  ['en', 'the code on the back is four four two', 'card<four four two>'],
  ['en', 'my email is jane at example com', 'email<jane at example com>'],
  ['es', 'mi DNI es uno dos tres cuatro cinco seis', 'account<uno dos tres cuatro cinco seis>'],
  [
    'es',
    'llámame al seiscientos uno dos tres cuatro cinco',
    'phone<seiscientos uno dos tres cuatro cinco>',
  ],
  [
    'fr',
    'ma sécurité sociale un quatre-vingt-cinq zéro cinq douze',
    'account<un quatre-vingt-cinq zéro cinq douze>',
  ],
  [
    'de',
    'meine Nummer ist null eins und dann eine acht drei vier fünf sechs',
    'phone<null eins und dann eine acht drei vier fünf sechs>',
  ],
  [
    'de',
    'max punkt muster klammeraffe web punkt de',
    'email<max punkt muster klammeraffe web punkt de>',
  ],
  [
    'it',
    'il mio numero è tre tre cinque dodici trentaquattro',
    'phone<tre tre cinque dodici trentaquattro>',
  ],
  [
    'nl',
    'jan punt de vries apenstaartje ziggo punt nl',
    'email<jan punt de vries apenstaartje ziggo punt nl>',
  ],
  [
    'en',
    'it is M as in Mike A as in alpha R K dot jones seventy seven at outlook dot com',
    'email<M as in Mike A as in alpha R K dot jones seventy seven at outlook dot com>',
  ],
  ['en', 'so then S for sugar one at acme dot org', 'email<S for sugar one at acme dot org>'],
  [
    'de',
    'also D wie Dora meier zwei at web punkt de',
    'email<D wie Dora meier zwei at web punkt de>',
  ],
  ['it', 'la mia email è luca at tin punto it', 'email<luca at tin punto it>'],
  [
    'es',
    'mi IBAN es E S noventa y uno veintiuno cero cero cero cuatro dieciocho cuarenta y cinco ' +
      'cero dos cero cero cero cinco trece treinta y dos',
    'account<E S noventa y uno veintiuno cero cero cero cuatro dieciocho cuarenta y cinco ' +
      'cero dos cero cero cero cinco trece treinta y dos>',
  ],
];

test('interrupted and announced numbers and addresses are removed whole', (t) => {
  for (const [language, text, finding] of removed) {
    const found = marked(text, { language });
    const { length } = finding.replaceAll(/\w+<|>/g, '');
    t.is(found, text.slice(0, text.length - length) + finding);
  }
});

test('numbers of orders, rooms and gates stay beside a card and a telephone', (t) => {
  for (const [text, redaction] of [
    ['order number four five five six seven eight nine oh one two three four five six seven', card],
    ['my card and my order 4111 2222 3333', card],
    ['my order number is 4155552671', everything],
    ['numéro de commande est 1234567', everything],
    ['reach us at example com or call', everything],
  ] as const) {
    t.is(marked(text, { redaction }), text);
  }
  t.is(
    marked('the back of the card is 123 and the gate code is 4567', { redaction: card }),
    'the back of the card is card<123> and the gate code is 4567',
  );
  t.is(marked('order 4111 1111 1111 1111'), 'order card<4111 1111 1111 1111>');
});

test('many groups with hesitations between them are read in time', (t) => {
  const text = Array.from({ length: 5_000 }, () => '12 sorry').join(' ');
  t.is(marked(text), text);
});
