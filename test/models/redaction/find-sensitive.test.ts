// What is found in conversations: figures on made calls, and the rules one by one.
import test from 'ava';
import {
  isCardNumber,
  isIban,
  isPhoneNumber,
  passesLuhn,
} from '../../../models/redaction/checks.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { stepsOf } from '../../../models/contract/served-models.ts';
import { redactionOf, withRedaction } from '../../../models/redaction/redaction-of.ts';
import { madeCalls } from './made-calls.ts';
import { everything, marked } from './marked.ts';

/** Words of removed findings over all that were to be removed, and over all that were removed. */
function rates(half: 'known' | 'set aside', seed: number) {
  let [right, missed, wrong] = [0, 0, 0];
  for (const { words, truth } of madeCalls(half, seed)) {
    const found = new Map(
      findSensitive(words, everything).flatMap(({ kind, words: own }) =>
        own.map((index) => [index, kind] as const),
      ),
    );
    for (const [index, kind] of truth.entries()) {
      if (found.has(index) && kind === found.get(index)) right += 1;
      else if (found.has(index)) wrong += 1;
      else if (kind !== null) missed += 1;
    }
  }
  return { recall: right / (right + missed), precision: right / (right + wrong) };
}

for (const half of ['known', 'set aside'] as const) {
  test(`of the made calls that were ${half}, nearly all words are found and few others`, (t) => {
    const { recall, precision } = rates(half, 20);
    t.log(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)} of words`);
    t.true(recall > 0.98);
    t.true(precision > 0.98);
  });
}

const examples: readonly (readonly [string, string, string?])[] = [
  [
    'It is 4532 1488 hang on let me turn it over 0343 6464 and it expires',
    'It is card<4532 1488> hang on let me turn it over card<0343 6464> and it expires',
  ],
  ['4532 1488 sorry 1488 0343 6464 yes', 'card<4532 1488> sorry card<1488 0343 6464> yes'],
  ['4532 1488 sorry 88 0343 6464 yes', 'card<4532 1488> sorry card<88 0343 6464> yes'],
  [
    'The card 5425 2334 3010 9903 and the three digits are 412',
    'The card card<5425 2334 3010 9903> and the three digits are card<412>',
  ],
  ['My IBAN is GB 29 NWBK 6016 1331 9268 19', 'My IBAN is account<GB 29 NWBK 6016 1331 9268 19>'],
  ['unter 0 30 / 12 34 56 78 abends', 'unter phone<0 30 / 12 34 56 78> abends', 'de'],
  [
    'Es más treinta y cuatro seis uno dos tres cuatro cinco',
    'Es más phone<treinta y cuatro seis uno dos tres cuatro cinco>',
    'es',
  ],
  [
    'Mine is s i o b h a n dot k at g mail dot com',
    'Mine is email<s i o b h a n dot k at g mail dot com>',
  ],
  [
    'anne hyphen marie at my hyphen company dot io',
    'email<anne hyphen marie at my hyphen company dot io>',
  ],
  [
    'my card is four one one one one one one one one one one one one one one one',
    'my card is card<four one one one one one one one one one one one one one one one>',
  ],
  [
    'it is forty one eleven double one double one 1111 triple one one thanks',
    'it is card<forty one eleven double one double one 1111 triple one one> thanks',
  ],
  ['order 4111 1111 1111 1112 is late', 'order 4111 1111 1111 1112 is late'],
  [
    'the card number is 4111 1111 1111 1112 okay',
    'the card number is card<4111 1111 1111 1112> okay',
  ],
  [
    'transfer it to D E eight nine 3704 0044 0532 0130 00 please',
    'transfer it to account<D E eight nine 3704 0044 0532 0130 00> please',
  ],
  [
    'call two one two five five five zero one nine nine now',
    'call phone<two one two five five five zero one nine nine> now',
  ],
  [
    'it is one eight hundred five five five zero one nine nine',
    'it is phone<one eight hundred five five five zero one nine nine>',
  ],
  [
    'my number is five five five oh one nine nine',
    'my number is phone<five five five oh one nine nine>',
  ],
  [
    'in nineteen ninety five we sold 250 for 12,500 at 5:30 on 12 04 2026',
    'in nineteen ninety five we sold 250 for 12,500 at 5:30 on 12 04 2026',
  ],
  [
    'write to john dot smith at example dot co dot uk thanks',
    'write to email<john dot smith at example dot co dot uk> thanks',
  ],
  ['it is john.smith@example.com.', 'it is email<john.smith@example.com.>'],
  ['let us meet at the office dot', 'let us meet at the office dot'],
  [
    "Rachel Adams' car and Mueller or MÜLLER",
    "name<Rachel Adams'> car and Mueller or name<MÜLLER>",
  ],
  [
    'Telefonnummer null vier null dreiundzwanzig fünfundvierzig siebenundsechzig acht',
    'Telefonnummer phone<null vier null dreiundzwanzig fünfundvierzig siebenundsechzig acht>',
    'de',
  ],
  [
    'mon numéro est zéro six soixante-dix quatre-vingt-dix-sept vingt et un quarante-deux',
    'mon numéro est phone<zéro six soixante-dix quatre-vingt-dix-sept vingt et un quarante-deux>',
    'fr',
  ],
  [
    'mi teléfono es seis cincuenta y cinco veintidós treinta y tres veintiséis',
    'mi teléfono es phone<seis cincuenta y cinco veintidós treinta y tres veintiséis>',
    'es',
  ],
  [
    'Telefonnummer null vier fuenf zwoelf fuenfundfuenfzig acht neun',
    'Telefonnummer phone<null vier fuenf zwoelf fuenfundfuenfzig acht neun>',
    'de',
  ],
  [
    'mi correo es ana arroba ejemplo punto com',
    'mi correo es email<ana arroba ejemplo punto com>',
    'es',
  ],
];

test('numbers, addresses and names are found as they are said', (t) => {
  for (const [text, expected, language = 'en'] of examples) {
    t.is(marked(text, { language }), expected);
  }
});

test('a number goes on over the words of the other speaker, which stay', (t) => {
  const text =
    'A: your card B: four one one one A: okay B: one one one one A: yes ' +
    'B: one one one one one one one one';
  t.is(marked(text).replaceAll(/card<| ?>/g, ''), text.replaceAll(/[AB]: /g, ''));
  t.is(marked(text).match(/card</g)?.length, 1);
  t.is(
    marked('A: card number please B: 4111 1111 A: that is a Visa go on B: 1111 1111 A: thanks'),
    'card number please card<4111 1111> that is a Visa go on card<1111 1111> thanks',
  );
  t.is(
    marked('A: the security code on the back B: one two three'),
    'the security code on the back card<one two three>',
  );
  t.is(
    marked('A: your phone B: 5550199 A: and the account number B: 12345678'),
    'your phone phone<5550199> and the account number account<12345678>',
  );
});

test('what somebody repeats of a number is removed as well', (t) => {
  t.is(
    marked('B: 4111 1111 1111 1111 thank you A: so it ends in 1111 today'),
    'card<4111 1111 1111 1111> thank you so it ends in card<1111> today',
  );
});

test('only the kinds that are requested are removed', (t) => {
  const redaction = redactionOf({ kinds: ['email'], names: ['?', 'Ann'] }).redact!;
  t.is(redaction.names.length, 1);
  const text = 'Ann at 2125550199 or ann at example dot com';
  t.is(marked(text, { redaction }), 'name<Ann> at 2125550199 or email<ann at example dot com>');
  t.deepEqual(redactionOf({ kinds: [], names: [] }), {});
  t.is(redactionOf({ names: ['Ann'] }).redact?.names.length, 1);
});

test('a request adds to what its organization removes, and takes nothing away', (t) => {
  const options = { diarize: false, numSpeakers: null, includeLogits: false };
  const asked = { ...options, ...redactionOf({ kinds: ['phone'], names: ['Ann'] }) };
  const organization = redactionOf({ kinds: ['card', 'phone'], names: ['Lee'] }).redact!;
  const request = { task: 'transcription', model: 'svc-resonance', options: asked } as const;
  const { redact } = withRedaction(request, organization);
  t.deepEqual(redact?.kinds, ['card', 'phone']);
  t.is(redact?.names.length, 2);
  t.is(withRedaction(request, null), asked);
  t.is(withRedaction({ ...request, task: 'emotion', options }, organization), options);
  const written = { task: 'transcription', model: 'svc-spectra-2' } as const;
  const removing = withRedaction({ ...written, options }, organization);
  t.false(stepsOf({ ...written, options }).words);
  t.true(
    stepsOf({ ...written, options: removing }).words,
    'a text without words cannot be cleaned',
  );
});

test('check digits and formats', (t) => {
  t.true(passesLuhn('4111111111111111'));
  t.false(passesLuhn('4111111111111112'));
  for (const card of ['378282246310005', '5555555555554444', '6011111111111117', '30569309025904'])
    t.true(isCardNumber(card), card);
  for (const other of [
    '0000000000000000',
    '9111111111111111',
    '411111111111111',
    '59',
    '51000000000008',
  ])
    t.false(isCardNumber(other), other);
  t.false(passesLuhn(''));
  for (const iban of [
    'AZ21NABZ00000000137010001944',
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'NO9386011117947',
  ])
    t.true(isIban(iban), iban);
  for (const other of ['DE89370400440532013001', 'DE8937040044053201300', 'XX89370400440532013000'])
    t.false(isIban(other), other);
  t.true(isPhoneNumber('2125550199', false));
  t.true(isPhoneNumber('4930123456', true));
  t.true(isPhoneNumber('03012345678', false));
  t.false(isPhoneNumber('1234567890', false));
});

test('numbers are looked for only if a kind of them is removed', (t) => {
  const words = ['Ann', 'at', '4111111111111111'].map((word) => ({
    ...{ word, end: 0, speaker: 0, language: 'en' },
    // Names and addresses do without times.
    get start(): number {
      return t.fail('a time was read') ? 0 : 1;
    },
  }));
  const { redact } = redactionOf({ kinds: ['email'], names: ['Ann'] });
  t.deepEqual(findSensitive(words, redact!), [{ kind: 'name', words: [0] }]);
});
