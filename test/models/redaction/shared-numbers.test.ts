// Numbers that recogniser and diarization take apart: a part is heard as the other speaker's,
// digits are written as words that sound alike, or a digit is misheard.
import test from 'ava';
import { redactTurns } from '../../../models/redaction/redact-turns.ts';
import { marked } from './marked.ts';

/** `A: text B: text`, as fast as digits are said. @returns the text without what was removed */
function redacted(text: string): string {
  const turns = text.split(/ (?=[AB]: )/).map((turn) => ({
    speaker: turn.startsWith('A') ? 0 : 1,
    words: turn
      .slice(3)
      .split(' ')
      .map((word) => ({ word, start: (at += 0.4) - 0.4, end: at - 0.1, confidence: 0.9 })),
  }));
  const all = { kinds: ['card', 'account', 'phone'], names: [] } as const;
  const { words } = redactTurns(turns, all, () => 'en');
  const name = ['A', 'B'];
  return turns
    .map(({ speaker }, i) => `${name[speaker]}: ${words[i]!.map(({ word }) => word).join(' ')}`)
    .join(' ');
}
let at = 0;

test('what is heard as the other speaker’s of a number is removed with it', (t) => {
  for (const [text, expected] of [
    [
      'A: And the card? B: It is 3 7 A: 5 8 1 7 5 3 8 8 B: 9 1 9 4 0 A: Thank you.',
      'A: And the card? B: It is [CARD] A: [CARD] B: [CARD] A: Thank you.',
    ],
    [
      'A: Your phone number? B: four one five five five five two six seven A: one. Thank you.',
      'A: Your phone number? B: [PHONE] A: [PHONE]. Thank you.',
    ],
    [
      'A: The account number? Four B: nine three zero one two eight seven. A: Thank you.',
      'A: The account number? [ACCOUNT] B: [ACCOUNT]. A: Thank you.',
    ],
  ] as const)
    t.is(redacted(text), expected);
});

test('what the other speaker counts beside a number stays', (t) => {
  for (const text of [
    'A: Your phone number? B: [PHONE] A: Two tickets or three?',
    'A: Your phone number? B: [PHONE]. A: Two. Is that right?',
    'A: Your card? B: [CARD] A: One. And the second?',
  ]) {
    const said = text.replace('[PHONE]', '415 555 2671').replace('[CARD]', '4111 1111 1111 1111');
    t.is(redacted(said), text);
  }
});

test('words that sound like digits are digits among them', (t) => {
  for (const expected of [
    'Your card? card<For zero to one 8 1 5 1 1 0 5 9 3 6 2 to.> Thanks',
    'Your card? card<For 5-2-6-0-1-8-1-5-9-0-8. 3, 0, 1, 2,> and thanks',
    'my card: card<4 for one too 8 ate 5 1 won 0 5 9 3 6 2 1>',
    'a contact number? It is phone<for six nine, five, five, five, seven, zero, nine, nine,>',
    'Your card? card<For zero to two? Okay 4 2 1 9 Okay 8 9 5 2 Okay 7 4 2 3>',
    'Your phone? It is phone<two-nine-four four-one-eight three-eight-five-zero>',
    'we won two-one and three-four with a one-two on my phone',
    'My number is phone<5 5 5 0 1 9 9> for 2 people',
    'call me at phone<4 1 5 5 5 5 2 6 7 1> for 2 tickets to Rome',
    'my phone is phone<4 1 5 5 5 5 2 6 7 1.> For one thing it works.',
    'I scored 5 to 4 and 3 to 2 and 1 to 0 on my phone',
    'count 1 2 3 4 5 to 10',
  ])
    t.is(marked(expected.replaceAll(/\b(?:card|phone)<|>/g, '')), expected);
  const portuguese = 'meu telefone 9 1 2 3 4 5 6 7 to 8 9 1';
  t.is(marked(portuguese, { language: 'pt' }), 'meu telefone phone<9 1 2 3 4 5 6 7> to 8 9 1');
});

test('an announced card in groups of which a digit is misheard is removed', (t) => {
  for (const expected of [
    'Read me the card number. card<4 6 2 3 8 5 0.> Kang on a second. card<8 7 1 2 9 4 5 2.> Thanks',
    'my card payments: 1500 on Monday, 2500 on Tuesday, 3500 on Friday and 4500 last week',
    'I paid by card in 2019 and the invoice is 1234567890 of 2020',
    'my card was declined and the invoice is 4 6 2 3 8 5 0 for shop 8 7 1 2 9 4 5 2',
  ])
    t.is(marked(expected.replaceAll(/\bcard<|>/g, '')), expected);
});
