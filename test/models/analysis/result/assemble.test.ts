// From analysed chunks to a result: every word in a segment, scores from the right parts.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import { assembleRecording } from '../../../../models/analysis/result/assemble.ts';
import { planChannels } from '../../../../models/analysis/plan/channel-plan.ts';
import { sigmoid } from '../../../../models/asr/sigmoid.ts';
import { taskSteps } from '../../../../models/contract/tasks.ts';
import { planRecording, type RecordingPlan } from '../../../../models/analysis/plan/plan.ts';

const common = {
  language: null,
  includeLogits: true,
  formatNumbers: false,
  redact: null,
  affect: null,
  hasWindows: false,
  durationSeconds: 20,
} as const;
const logits = (value: number): number[] => Array<number>(31).fill(value);
const word = (text: string, start: number, end: number) => {
  return { word: text, start, end, confidence: 1 };
};

test('words go to the turn they overlap most, and turns extend to their words', (t) => {
  const plan: RecordingPlan = {
    chunks: [],
    segments: [
      { start: 0, end: 2, speaker: 0 },
      { start: 2.5, end: 5, speaker: 1 },
    ],
    speakers: 2,
    speechSeconds: 5,
  };
  const chunks: AnalyzedChunk[] = [
    {
      index: 0,
      written: null,
      inferenceMs: 1,
      words: [word('one', 0.1, 0.5), word('two', 1.8, 2.3), word('three', 5.2, 5.4)],
      scored: [
        { segment: 0, start: 0, end: 2, readings: logits(1) },
        { segment: 1, start: 2.5, end: 3, readings: logits(0) },
        { segment: 1, start: 3, end: 5, readings: logits(5) },
      ],
    },
  ];
  const { segments, text, speakers } = assembleRecording({
    ...common,
    steps: taskSteps.analysis,
    plan,
    chunks,
  });
  t.deepEqual(
    segments.map(({ text: own, start, end, speaker }) => [own, start, end, speaker]),
    [
      ['one two', 0, 2.3, 0],
      ['three', 2.5, 5.4, 1],
    ],
  );
  t.is(text, 'one two three');
  t.is(speakers, 2);
  t.is(segments[1]!.logits![0], 4);
});

test('segments are in order of their starts, whatever their words begin with', (t) => {
  const segments = [
    { start: 5, end: 5.2, speaker: 0 },
    { start: 5.3, end: 7, speaker: 1 },
    { start: 8, end: 9, speaker: 0 },
  ];
  const plan: RecordingPlan = { chunks: [], segments, speakers: 2, speechSeconds: 2 };
  const words = [word('Absolutely', 4.9, 6), word('yes.', 6.1, 6.4), word('Good.', 8.1, 8.5)];
  const chunks = [{ index: 0, written: null, inferenceMs: 1, words, scored: [] }];
  const steps = taskSteps.transcription;
  const result = assembleRecording({ ...common, steps, plan, chunks });
  t.deepEqual(
    result.segments.map(({ start, text, speaker }) => [start, text, speaker]),
    [
      [4.9, 'Absolutely yes.', 0],
      [5, '', 1],
      [8, 'Good.', 1],
    ],
  );
});

test("in an overlap a sentence is the first speaker's, the next one the other's", (t) => {
  const segments = [
    { start: 0, end: 6, speaker: 0 },
    { start: 3, end: 8, speaker: 1 },
  ];
  const plan: RecordingPlan = { chunks: [], segments, speakers: 2, speechSeconds: 8 };
  const texts = ['Come', 'home', 'now.', 'Not', 'today,', 'I', 'said.'];
  const words = texts.map((text, i) => word(text, 1 + i, 1.8 + i));
  const chunk = { index: 0, written: null, inferenceMs: 1, words, scored: [] };
  const result = assembleRecording({
    ...common,
    steps: taskSteps.transcription,
    plan,
    chunks: [chunk],
  });
  t.deepEqual(
    result.segments.map(({ text }) => text),
    ['Come home now.', 'Not today, I said.'],
  );
});

test('a turn without a word leaves no second space in the text', (t) => {
  const segments = [0, 1, 2].map((i) => ({ start: 2 * i, end: 2 * i + 1.5, speaker: i % 2 }));
  const plan: RecordingPlan = { chunks: [], segments, speakers: 2, speechSeconds: 5 };
  const words = [word('yes', 0.1, 0.5), word('no', 4.1, 4.5)];
  const chunk = { index: 0, written: null, inferenceMs: 1, words, scored: [] };
  const { text } = assembleRecording({
    ...common,
    steps: taskSteps.transcription,
    plan,
    chunks: [chunk],
  });
  t.is(text, 'yes no');
});

test('without a word, a task with words has one segment with floor logits', (t) => {
  const plan: RecordingPlan = { chunks: [], segments: null, speakers: null, speechSeconds: 5 };
  const chunks = [
    {
      index: 0,
      written: null,
      inferenceMs: 1,
      words: [],
      scored: [{ segment: null, start: 0, end: 9, readings: logits(2) }],
    },
  ];
  const result = assembleRecording({ ...common, steps: taskSteps.analysis, plan, chunks });
  t.is(result.text, '');
  t.deepEqual(
    result.segments.map(({ start, end, emotions, styles }) => [start, end, emotions, styles]),
    [[0, 20, [], []]],
  );
  t.true(result.segments[0]!.logits!.every((logit) => sigmoid(logit) < 0.1));
  t.deepEqual([result.emotions, result.styles], [[], []]);
  const transcription = assembleRecording({
    ...common,
    steps: taskSteps.transcription,
    plan,
    chunks,
  });
  t.deepEqual(transcription.segments, []);
  t.deepEqual(transcription.emotions, []);
});

test('a turn without a word has no labels, and is not part of the whole', (t) => {
  const segments = [[0, 2] as const, [3, 5] as const].map(([start, end]) => {
    return { start, end, speaker: 0 };
  });
  const plan: RecordingPlan = { chunks: [], segments, speakers: 1, speechSeconds: 4 };
  const chunk = {
    index: 0,
    written: null,
    inferenceMs: 1,
    words: [word('yes', 0.1, 0.5)],
    scored: [
      { segment: 0, start: 0, end: 2, readings: logits(1) },
      { segment: 1, start: 3, end: 5, readings: logits(5) },
    ],
  };
  const result = assembleRecording({
    ...common,
    steps: taskSteps.analysis,
    plan,
    chunks: [chunk],
  });
  const [spoken, unspoken] = result.segments;
  t.is(spoken!.logits![0], 1);
  t.deepEqual([unspoken!.emotions, unspoken!.styles], [[], []]);
  t.true(unspoken!.logits!.every((logit) => sigmoid(logit) < 0.1));
  t.deepEqual(result.logits, logits(1));
});

test('silence is one segment for scores and none for words; none of it is analysed', (t) => {
  const silence = {
    regions: [],
    probabilities: new Float32Array(2_000),
    samples: 40 * 16_000,
    turns: null,
  };
  const scored = planRecording({ ...silence, steps: taskSteps.affect });
  t.deepEqual(scored.chunks, []);
  t.deepEqual(scored.segments, [{ start: 0, end: 40, speaker: null }]);
  const channels = { probabilities: [new Float32Array(2_000), new Float32Array(2_000)] };
  const both = planChannels({ ...channels, samples: 640_000, steps: taskSteps.affect });
  t.deepEqual(both.segments, scored.segments);
  t.is(both.speakers, null);
  t.deepEqual(planRecording({ ...silence, steps: taskSteps.transcription }).segments, []);
  const plan = { ...common, plan: scored, chunks: [], steps: taskSteps.affect };
  const { emotions, styles, logits: floor } = assembleRecording(plan);
  t.deepEqual([emotions, styles], [[], []]);
  t.true(floor!.every((logit) => sigmoid(logit) < 0.1));
});

test('what is to be removed is in neither words nor text, and is reported', (t) => {
  const spoken = ['call', '212-555-0199', 'today.'].map((text, i) => word(text, i, i + 0.9));
  const chunk: AnalyzedChunk = {
    index: 0,
    words: spoken,
    language: 'en',
    written: null,
    scored: [],
    inferenceMs: 1,
  };
  const plan: RecordingPlan = { chunks: [], segments: null, speakers: null, speechSeconds: 3 };
  const steps = taskSteps.transcription;
  const input = { ...common, steps, plan, chunks: [chunk] };
  const redact = { kinds: ['phone'], names: [] } as const;
  const { text, segments, removed } = assembleRecording({ ...input, redact });
  t.is(text, 'call [PHONE] today.');
  t.deepEqual(segments[0]!.words[1], { ...word('[PHONE]', 1, 1.9) });
  t.deepEqual(removed, [{ kind: 'phone', start: 1, end: 1.9, speaker: null }]);
  t.false('removed' in assembleRecording(input));
});

test('a sentence begins with a capital letter where chunks of a channel meet', (t) => {
  const channelPlan: RecordingPlan = {
    chunks: [],
    segments: [0, 1].map((speaker) => ({ start: 0, end: 20, speaker })),
    speakers: 2,
    speechSeconds: 20,
  };
  const said = (index: number, texts: string, channel?: number): AnalyzedChunk => ({
    ...{ index, language: 'de', written: null, scored: [], inferenceMs: 1 },
    words: texts.split(' ').flatMap((text, i) => {
      const start = 4 * index + 0.5 * i;
      return text === '' ? [] : [word(text, start, start + 0.4)];
    }),
    ...(channel !== undefined && { channel }),
  });
  const assembled = (plan: RecordingPlan, chunks: readonly AnalyzedChunk[]) => {
    const steps = taskSteps.transcription;
    const found = assembleRecording({ ...common, steps, plan, chunks, formatNumbers: true });
    return found.segments.map(({ text }) => text);
  };
  const chunks = [said(0, 'Der 5. mai.'), said(1, ''), said(2, 'zwölf tage ca. drei')];
  const plan: RecordingPlan = { ...channelPlan, segments: null, speakers: null };
  // A word with another letter is in the language of its chunk as before.
  t.deepEqual(assembled(plan, chunks), ['Der 5. mai.', '12 tage ca. drei']);
  const beyond = [said(0, 'So.'), said(1, ''), said(2, 'ja')];
  t.deepEqual(assembled(plan, beyond), ['So.', 'Ja'], 'a chunk without a word is between them');
  const channels = [said(0, 'So.', 0), said(1, 'und', 1), said(2, 'ja', 0), said(3, 'nein', 1)];
  t.deepEqual(assembled(channelPlan, channels), ['So. Ja', 'und nein']);
});
