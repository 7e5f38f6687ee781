// Turns that are told one by one: numbers go over their ends, and what was told stays told.
import test from 'ava';
import { redactionKinds } from '../../../models/contract/redaction.ts';
import { createConversation } from '../../../models/redaction/conversation.ts';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { madeTurns } from './made-turns.ts';

const { redact: everything } = redactionOf({ kinds: redactionKinds, names: ['Rachel Adams'] });

interface SaidTurn {
  readonly words: readonly string[];
  /** Since the turn before. */
  readonly pauseSeconds?: number;
}

/** The words of each turn that are told. */
async function told(said: readonly SaidTurn[], language = 'en', redaction = everything!) {
  const conversation = createConversation();
  const answers: (readonly { readonly word: string; readonly start: number }[])[] = [];
  let at = 0;
  for (const { words: own, pauseSeconds = 0.8 } of said) {
    at += pauseSeconds;
    const words = own.map((word, i) => ({ word, start: i, end: i + 0.8, confidence: 1 }));
    const redact = await conversation.open(at).next();
    answers.push(redact([{ words, speaker: null }], redaction, () => language).words[0]!);
    at += own.length;
  }
  return answers;
}

async function marked(text: string, language = 'en'): Promise<string> {
  const turns = text.split(' | ').map((turn) => ({ words: turn.split(' ') }));
  const answers = await told(turns, language);
  return answers.map((words) => words.map(({ word }) => word).join(' ')).join(' | ');
}

for (const half of ['known', 'set aside'] as const) {
  test(`of the turns that were ${half}, most words are hidden and few others`, async (t) => {
    let [right, missed, wrong] = [0, 0, 0];
    for (const { language, turns } of madeTurns(half, 31)) {
      const answers = await told(
        turns.map(({ words }) => ({ words: words.map(({ word }) => word) })),
        language,
      );
      for (const [i, { words }] of turns.entries()) {
        const kept = new Set(answers[i]!.map(({ word, start }) => `${start} ${word}`));
        for (const [start, { word, isSecret }] of words.entries()) {
          const isHidden = !kept.has(`${start} ${word}`);
          if (isHidden && isSecret) right += 1;
          else if (isHidden) wrong += 1;
          else if (isSecret) missed += 1;
        }
      }
    }
    const [recall, precision] = [right / (right + missed), right / (right + wrong)];
    t.log(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)} of words`);
    t.true(recall > 0.9);
    t.true(precision > 0.95);
  });
}

test('digits that go on with a number, or may begin one, are hidden', async (t) => {
  for (const [said, expected] of [
    ['my card is 4111 1111 | 1111 1111 | thanks', 'my card is [CARD] | [CARD] | thanks'],
    ['4111 1111 | 1111 1111', '[CARD] | [CARD]'],
    ['my number is | 415 555 2671 | okay', 'my number is | [PHONE] | okay'],
    ['my account is 4156 | six six two | okay', 'my account is [ACCOUNT] | [ACCOUNT] | okay'],
    ['this is Rachel | Adams speaking', 'this is Rachel | [NAME] speaking'],
    ['write to ann | at example dot com', 'write to ann | [EMAIL]'],
  ] as const)
    t.is(await marked(said), expected);
});

test('rooms, years, times, prices, dates and the numbers of other things stay', async (t) => {
  for (const text of [
    'I am in room four hundred twelve | it is cold',
    'I moved in 1985 | and on March 27 2019',
    'I called you on the phone at twelve forty five | or 11 45',
    'my phone was forty nine ninety nine | new',
    'my card has a limit of 12000 | a month',
    'my order number is 48213344 | please',
    'on 12 04 2026 | at my place',
    'it was $4311 | or 4,311',
  ])
    t.is(await marked(text), text);
});

test('what was said long before announces nothing', async (t) => {
  const turns = [
    { words: 'my card number is'.split(' ') },
    { words: ['4059', 'times'], pauseSeconds: 200 },
  ];
  t.deepEqual(
    (await told(turns)).map((words) => words.map(({ word }) => word)),
    turns.map(({ words }) => words),
  );
});

test('a turn waits for those before it, and not for one that is over', async (t) => {
  const conversation = createConversation();
  const [first, second, third] = [0, 1, 2].map((at) => conversation.open(at));
  const order: string[] = [];
  const next = third!.next().then((redact) => {
    order.push('third');
    return redact;
  });
  second!.over();
  await Promise.resolve();
  const redact = await first!.next();
  order.push('first');
  const say = (word: string) => [
    { words: [{ word, start: 0, end: 0.5, confidence: 1 }], speaker: null },
  ];
  redact(say('Rachel'), everything!, () => 'en');
  const { words } = (await next)(say('Adams'), everything!, () => 'en');
  t.deepEqual(order, ['first', 'third']);
  t.is(words[0]![0]!.word, '[NAME]');
});
