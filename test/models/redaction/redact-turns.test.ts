// Transcripts without what was found: words, times, segments, the report.
import test from 'ava';
import { nameHashes } from '../../../models/redaction/name-hash.ts';
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
