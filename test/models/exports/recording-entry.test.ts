// What is searched of a result, and its pieces and shares on the console's page.
import test from 'ava';
import { toRecordingView } from '../../../api/results/recording-view.ts';
import { wordPieces } from '../../../models/exports/low-confidence.ts';
import { searchEntryOf } from '../../../models/exports/search-entry.ts';

const word = (text: string, start: number, confidence: number | null) => ({
  ...{ word: text, start, end: start + 0.4, confidence },
});
const first = {
  ...{ start: 0, end: 2, speaker: 'speaker_0', text: 'Hello, <b>there</b>.' },
  words: [word('Hello', 0, 0.9), word('there', 1, 0.2)],
  emotions: [{ label: 'happy', score: 0.8 }],
  styles: [{ label: 'warm', score: 0.6 }],
};
const second = {
  ...{ start: 2, end: 3, speaker: 'speaker_1', text: 'Yes.', words: [word('Yes', 2, null)] },
  ...{ emotions: [{ label: 'happy', score: 0.7 }], styles: [] },
};
const third = { ...second, start: 4, end: 5, speaker: 'speaker_2' };

test('an entry has the words, each label once, and counts unsure words', (t) => {
  const result = { text: null, language: 'en', speakers: 2, segments: [first, second] };
  t.deepEqual(searchEntryOf(result, 5), {
    ...{ text: 'Hello, <b>there</b>. Yes.', language: 'en', labels: ['happy', 'warm'] },
    ...{ speakers: 2, durationSeconds: 5, words: 3, unsureWords: 1 },
  });
  const long = { ...result, text: 'a'.repeat(300_000) };
  t.is(searchEntryOf(long, 5).text.length, 200_000);
});

test('pieces make up the text, with each word as one of them', (t) => {
  t.deepEqual(
    wordPieces(first).map(({ text, word: of }) => (of ? `[${text}]` : text)),
    ['[Hello,]', ' ', '[<b>there</b>.]'],
  );
});

test('the page gets words with times and confidence, and shares that add up to 100 %', (t) => {
  const exported = { duration: 5, segments: [first, second, third] };
  const view = toRecordingView(exported, { language: 'en' }, []);
  t.deepEqual(view.segments[0]!.pieces, [
    ['Hello,', 0, 0.4, 0.9, 0],
    ' ',
    ['<b>there</b>.', 1, 1.4, 0.2, 1],
  ]);
  const shares = view.metrics.speakers.map((each) => each.talk_percent!);
  t.is(
    shares.reduce((sum, share) => sum + share, 0),
    100,
  );
  t.deepEqual(view.peaks, [], 'without an outline');
  t.is(view.start_seconds, 0);
  const outline = { peaks: [], loudnessDb: [], startSeconds: 7 };
  t.is(toRecordingView(exported, { language: 'en', outline }, []).start_seconds, 7);
});

test('figures of the page are those of names, segments keep their numbers', (t) => {
  const exported = { duration: 5, segments: [first, second, third] };
  const view = toRecordingView(exported, { language: 'en' }, ['Ben', 'Anna', 'Anna']);
  t.deepEqual(
    view.metrics.speakers.map(({ speaker, turns }) => [speaker, turns]),
    [
      ['speaker_0', 1],
      ['speaker_1', 2],
    ],
  );
  t.is(view.segments[2]!.speaker, 'speaker_2');
});

test('where speakers were not separated the page gets none, and figures of all speech', (t) => {
  const segments = [{ ...first, speaker: null }];
  const view = toRecordingView({ duration: 5, segments }, { language: 'en' }, []);
  t.is(view.segments[0]!.speaker, null);
  t.deepEqual(
    view.metrics.speakers.map(({ speaker, talk_seconds: talk }) => [speaker, talk]),
    [[null, 2]],
  );
  t.is(view.channels, null);
  t.true(view.has_words);
  const wordless = [{ ...first, text: null, words: [], speaker: null }];
  t.false(toRecordingView({ duration: 5, segments: wordless }, { language: null }, []).has_words);
});

test('the page gets silent and missing channels', (t) => {
  const exported = { duration: 5, segments: [first] };
  const channels = [
    { channel: 0, role: 'agent', speaker: 'speaker_0', state: 'speech', speech_seconds: 2 },
    { channel: 1, role: 'customer', speaker: 'speaker_1', state: 'missing', speech_seconds: 0 },
  ] as const;
  t.deepEqual(toRecordingView(exported, { language: 'en', channels }, []).channels, [
    { speaker: 'speaker_0', role: 'agent', state: 'speech' },
    { speaker: 'speaker_1', role: 'customer', state: 'missing' },
  ]);
});
