// Transcripts without what was found: words, times, segments, the report.
import fc from 'fast-check';
import test from 'ava';
import type { Redaction } from '../../../models/contract/redaction.ts';
import { nameHashes } from '../../../models/redaction/name-hash.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { redactTurns } from '../../../models/redaction/redact-turns.ts';

const said = (text: string, from: number) =>
  text
    .split(' ')
    .map((word, i) => ({ word, start: from + i, end: from + i + 0.8, confidence: 0.9 }));

test('a finding is one word with its times in each segment, and is reported', (t) => {
  const turns = [
    { words: said('my card is four one one one', 0), speaker: 1 },
    { words: said('okay', 7.5), speaker: 0 },
    { words: said('1111 1111 1111. Thanks', 9), speaker: 1 },
  ];
  const redaction = { kinds: ['card'], names: [] } as const;
  const { words, removed } = redactTurns(turns, redaction, () => 'en');
  t.deepEqual(
    words.map((all) => all.map(({ word }) => word).join(' ')),
    ['my card is [CARD]', 'okay', '[CARD]. Thanks'],
  );
  t.deepEqual(words[0]!.at(-1), { word: '[CARD]', start: 3, end: 6.8, confidence: 0.9 });
  t.deepEqual(removed, [
    { kind: 'card', start: 3, end: 6.8, speaker: 1 },
    { kind: 'card', start: 9, end: 11.8, speaker: 1 },
  ]);
});

test('the marks at the end of a finding stay, however many its last word has inside', (t) => {
  const marks = '.'.repeat(100_000);
  const turns = [{ words: said(`write a@b.co${marks}x?!`, 0), speaker: 0 }];
  const { words } = redactTurns(turns, { kinds: ['email'], names: [] }, () => 'en');
  t.deepEqual(
    words[0]!.map(({ word }) => word),
    ['write', '[EMAIL]?!'],
  );
});

test('turns count in the order in which they were said', (t) => {
  const turns = [
    { words: said('1111 1111.', 9), speaker: 0 },
    { words: said('my card is 4111 1111', 0), speaker: 0 },
  ];
  const { words } = redactTurns(turns, { kinds: ['card'], names: [] }, () => 'en');
  t.deepEqual(
    words.map((all) => all.map(({ word }) => word).join(' ')),
    ['[CARD].', 'my card is [CARD]'],
  );
});

test('what is removed is reported in the order in which it was said', (t) => {
  const turns = [
    { words: said('my card is 4111 1111', 0), speaker: 0 },
    { words: said('write ann@example.com', 6), speaker: 1 },
    { words: said('1111 1111', 9), speaker: 0 },
  ];
  const { removed } = redactTurns(turns, { kinds: ['card', 'email'], names: [] }, () => 'en');
  t.deepEqual(
    removed.map(({ kind, start }) => [kind, start]),
    [
      ['card', 3],
      ['email', 7],
      ['card', 9],
    ],
  );
});

test('of findings that overlap every word goes', (t) => {
  const redacted = (text: string, name: string): string => {
    const turns = [{ words: said(text, 0), speaker: 0 }];
    const redaction = { kinds: ['email'], names: nameHashes(name) } as const;
    const { words } = redactTurns(turns, redaction, () => 'en');
    return words[0]!.map(({ word }) => word).join(' ');
  };
  const address = 'Write to Maria Garcia Lopez at example dot com';
  t.is(redacted(address, 'Maria Garcia Lopez'), 'Write to [NAME] [EMAIL]');
  t.is(redacted('John Smith at gmail dot com', 'John Smith'), '[NAME] [EMAIL]');
});

const pieces = (
  '4111 1111 one four double oh seven, 415 555-2671 +49 12,500 $5 2019 card phone account number ' +
  'is my the dni es zeta letra at @ dot com gmail ann.lee@example.org so and so. uh sorry wait ' +
  'Ann Lee dollars March? please, hello I D E 89 X1234567L B ending in last'
).split(' ');

test('whatever is said, findings are apart and in order, and all other words stay', (t) => {
  const redaction = { kinds: ['card', 'account', 'phone', 'email'], names: nameHashes('Ann Lee') };
  const spoken = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 0, max: 1 })), {
    maxLength: 40,
  });
  const languages = fc.constantFrom('en', 'es', 'de', 'ja');
  const others = ['fr'];
  const check = (said_: readonly (readonly [string, number])[], language: string): void => {
    const words = said_.map(([word, speaker], i) => {
      return { word, start: i, end: i + 0.8, confidence: 0.9, speaker, language };
    });
    const found = findSensitive(words, redaction as Redaction, { others });
    const hidden = found.flatMap((each) => each.words);
    t.is(new Set(hidden).size, hidden.length);
    for (const { words: own } of found) {
      t.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      );
      t.is(new Set(own.map((i) => words[i]!.speaker)).size, 1);
    }
    const turns = words.map((word) => ({ words: [word], speaker: word.speaker }));
    const redacted = redactTurns(turns, redaction as Redaction, () => language, { others });
    const expected = words.map(({ word }, i) => (hidden.includes(i) ? 'hidden' : word));
    const kept = redacted.words.map(([word]) => {
      return word === undefined || /^\[[A-Z]+\]/.test(word.word) ? 'hidden' : word.word;
    });
    t.deepEqual(kept, expected);
  };
  fc.assert(fc.property(spoken, languages, check), { numRuns: 300 });
});
