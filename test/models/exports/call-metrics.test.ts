// Call metrics of calls whose numbers can be computed by hand.
import test from 'ava';
import { callMetrics } from '../../../models/exports/call-metrics.ts';
import type { ExportedSegment } from '../../../models/exports/exported-result.ts';

const turn = (speaker: string | null, start: number, end: number, words = 0): ExportedSegment => ({
  ...{ speaker, start, end, text: 'x', emotions: [], styles: [] },
  words: Array.from({ length: words }, () => ({ word: 'x', start, end, confidence: 0.9 })),
});

/** What stands for a recording in which no speech was found. */
const unspoken = {
  ...{ start: 0, end: 30, text: '', words: [], speaker: null },
  emotions: [],
  styles: [],
};

test('a recording without speech is silence and nobody talks', (t) => {
  const loudnessDb = [Array<number>(30).fill(-96)];
  for (const text of ['', null]) {
    const metrics = callMetrics({ duration: 30, segments: [{ ...unspoken, text }], loudnessDb });
    t.like(metrics, { talkSeconds: 0, silenceSeconds: 30, overlapSeconds: 0, speakers: [] });
  }
  const styled = { ...unspoken, styles: [{ label: 'calm', score: 0.6 }] };
  t.is(callMetrics({ duration: 30, segments: [styled] }).talkSeconds, 30);
});

test('a speaker without words or labels talks: most speech has no style', (t) => {
  const segments = [{ ...unspoken, text: null, speaker: 'speaker_0' }];
  const metrics = callMetrics({ duration: 30, segments });
  t.like(metrics, { talkSeconds: 30, silenceSeconds: 0 });
  t.is(metrics.speakers[0]?.speaker, 'speaker_0');
});

test('an overlap of exactly 0.3 s counts, in numbers that are not exact', (t) => {
  const segments = [turn('speaker_0', 0, 4.992), turn('speaker_1', 4.692, 8)];
  t.is(callMetrics({ duration: 8, segments }).speakers[1]?.interruptions, 1);
});

test('talk, silence, overlap, monologues, pace and interruptions', (t) => {
  const segments = [
    turn('speaker_0', 0, 10, 30),
    turn('speaker_1', 8, 12, 4),
    turn('speaker_0', 14, 20, 10),
    turn('speaker_0', 21, 25, 10),
    turn('speaker_1', 24.9, 30, 10),
  ];
  t.deepEqual(callMetrics({ duration: 40, segments }), {
    durationSeconds: 40,
    talkSeconds: 27,
    silenceSeconds: 13,
    overlapSeconds: 2.1,
    words: 64,
    lowConfidenceWords: 0,
    speakers: [
      {
        speaker: 'speaker_0',
        talkSeconds: 20,
        talkShare: 0.687,
        turns: 3,
        longestMonologueSeconds: 10.9,
        wordsPerMinute: 150,
        interruptions: 0,
        loudnessDbfs: null,
        emotions: [],
      },
      {
        speaker: 'speaker_1',
        talkSeconds: 9.1,
        talkShare: 0.313,
        turns: 2,
        longestMonologueSeconds: 5.1,
        wordsPerMinute: 92.308,
        interruptions: 1,
        loudnessDbfs: null,
        emotions: [],
      },
    ],
    emotionOverTime: [],
  });
});

test('without speakers there is one for all, and without speech none', (t) => {
  const one = callMetrics({ duration: 5, segments: [turn(null, 1, 3, 4)] });
  t.deepEqual([one.speakers.length, one.silenceSeconds], [1, 3]);
  t.is(one.speakers[0]?.wordsPerMinute, 120);
  t.deepEqual(callMetrics({ duration: 5, segments: [] }), {
    durationSeconds: 5,
    talkSeconds: 0,
    silenceSeconds: 5,
    overlapSeconds: 0,
    words: 0,
    lowConfidenceWords: 0,
    speakers: [],
    emotionOverTime: [],
  });
});

test('a monologue ends where another speaker starts, and a turn may take no time', (t) => {
  const segments = [
    turn('speaker_0', 0, 10),
    turn('speaker_0', 1, 2),
    turn('speaker_1', 5, 6),
    turn('speaker_0', 10.5, 14),
    turn('speaker_2', 15, 15, 1),
  ];
  const { speakers } = callMetrics({ duration: 20, segments });
  t.deepEqual(
    speakers.map((found) => [found.longestMonologueSeconds, found.wordsPerMinute]),
    [
      [5, null],
      [1, null],
      [0, null],
    ],
  );
});

test('voices that have one name talk once where they overlap', (t) => {
  const felt = (label: string, start: number, end: number) => ({
    ...turn('speaker_0', start, end, 10),
    emotions: [{ label, score: 0.8 }],
  });
  const segments = [
    felt('happy', 0, 10),
    felt('sad', 2, 4),
    felt('sad', 8, 12),
    turn('speaker_1', 11, 14, 5),
  ];
  const found = callMetrics({ duration: 20, segments });
  t.like(found, { talkSeconds: 14, silenceSeconds: 6, overlapSeconds: 1 });
  const [both, other] = found.speakers;
  t.like(both, { talkSeconds: 12, talkShare: 0.8, turns: 3, wordsPerMinute: 150 });
  t.like(other, { talkSeconds: 3, talkShare: 0.2, turns: 1, wordsPerMinute: 100 });
  t.deepEqual(both?.emotions, [
    { label: 'happy', share: 0.625 },
    { label: 'sad', share: 0.375 },
  ]);
});

test('loudness is that of a speaker’s seconds and channel; sure emotions are by share', (t) => {
  const felt = (label: string, start: number, end: number, speaker = 'speaker_0', score = 0.8) => ({
    ...turn(speaker, start, end),
    emotions: [{ label, score }],
  });
  const segments = [
    felt('happy', 0, 2),
    felt('sad', 2, 3, 'speaker_1'),
    felt('sad', 3, 4),
    felt('angry', 4, 8, 'speaker_0', 0.4),
  ];
  const mixed = callMetrics({
    duration: 8,
    segments,
    loudnessDb: [[-20, -20, -40, -20, ...[-20, -20, -20, -20]]],
  });
  t.deepEqual(
    mixed.speakers.map(({ loudnessDbfs }) => loudnessDbfs),
    [-20, -40],
  );
  t.deepEqual(mixed.speakers[0]?.emotions, [
    { label: 'happy', share: 0.286 },
    { label: 'sad', share: 0.143 },
  ]);
  t.deepEqual(
    mixed.emotionOverTime.map(({ start, label }) => [start, label]),
    [
      [0, 'happy'],
      [2, 'sad'],
      [3, 'sad'],
      [4, 'angry'],
    ],
  );
  const quiet = Array<number>(8).fill(-60);
  const separate = callMetrics({
    duration: 8,
    segments,
    loudnessDb: [quiet.map(() => -10), quiet],
  });
  t.deepEqual(
    separate.speakers.map(({ loudnessDbfs }) => loudnessDbfs),
    [-10, -60],
  );
});
