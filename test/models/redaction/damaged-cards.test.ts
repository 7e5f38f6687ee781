// Cards of which the recogniser lost or misheard digits, which no check digit tells.
import test from 'ava';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { madeDamage } from './made-damage.ts';
import { everything, marked } from './marked.ts';

for (const half of ['known', 'set aside'] as const) {
  test(`of damaged cards that were ${half} most words are found, of other numbers few`, (t) => {
    let [found, missed, wrong, harmless] = [0, 0, 0, 0];
    for (const { kind, words, secret } of madeDamage(half, 20)) {
      const hidden = new Set(findSensitive(words, everything).flatMap((each) => each.words));
      if (kind === 'harmless')
        [harmless, wrong] = [harmless + 1, wrong + (hidden.size > 0 ? 1 : 0)];
      for (const index of secret) {
        if (hidden.has(index)) found += 1;
        else missed += 1;
      }
    }
    const [recall, falseHides] = [found / (found + missed), wrong / harmless];
    t.log(`recall ${recall.toFixed(3)}, harmless sentences hidden ${falseHides.toFixed(3)}`);
    t.true(recall > 0.9);
    t.true(falseHides < 0.08);
  });
}

const said: readonly string[] = [
  'so it says card<4532 0343 6464> on the front',
  'I pay with card<four five three two one four eight eight oh three four three> please',
  'here it is card<5412 7512 3412 345> thanks',
  'card<4532 1488 0343 6465> is what I have',
  'my card number is card<4532 1488> okay',
  'My card numbers card<5425-2334-3010-9903-60RT-618.> Please wait',
  'Yes, the current number is card<for 532, 1488, 0343, 6464,> and it expires',
  'here card<5425-2334-3010-9903-618> okay',
];

test('of a card a group or some digits may be missing, or one be misheard', (t) => {
  for (const expected of said) t.is(marked(expected.replaceAll(/\bcard<|>/g, '')), expected);
});

test('long numbers of other things, series and dates stay', (t) => {
  for (const [language, text] of [
    ['en', 'the barcode is 4006381333931'],
    ['en', 'the item number is 5123 4455 6677'],
    ['en', 'the package number is 4455 6677 8899'],
    ['en', 'IMEI 352099001761481'],
    ['en', 'coordinates 52 5200 13 4050'],
    ['en', 'gates 51 52 53 54 55 56 and 57'],
    ['en', 'we need 4000 4500 5000'],
    ['en', 'your order 4532 0343 6464 is late'],
    ['en', 'serial number 4532 0343 6464'],
    ['en', 'it has 7532 0343 6464 on it'],
    ['en', 'your card is sent in order 45320343'],
    ['de', 'die Sendungsnummer ist 4532 0343 6464'],
    ['es', 'el código de barras es 4006381333931'],
    ['fr', 'le numéro de suivi est 4532 0343 6464'],
    ['it', 'il codice a barre è 4006381333931'],
  ] as const)
    t.is(marked(text, { language }), text);
});
