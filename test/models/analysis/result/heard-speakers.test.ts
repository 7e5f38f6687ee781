// A speaker says something: voice activity and the diarizer also find voices in sounds.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import { assembleRecording } from '../../../../models/analysis/result/assemble.ts';
import type { RecordingPlan } from '../../../../models/analysis/plan/plan.ts';
import { affectOf } from '../../../../models/affect/affect-model.ts';
import { taskSteps, type SpeechTask } from '../../../../models/contract/tasks.ts';

const affect = affectOf('svc-resonance')!;
const segments = [
  { start: 0, end: 2, speaker: 0 },
  { start: 3, end: 4, speaker: 1 },
  { start: 5, end: 6, speaker: 2 },
  { start: 7, end: 8, speaker: 0 },
];
const plan: RecordingPlan = { chunks: [], segments, speakers: 3, speechSeconds: 6 };
const word = (start: number) => ({ word: 'yes', start, end: start + 0.5, confidence: 1 });

interface Heard {
  readonly task: SpeechTask;
  /** Starts of words. */
  readonly words?: readonly number[];
  /** Segments whose sound is speech. */
  readonly spoken?: readonly number[];
  readonly plan?: RecordingPlan;
  readonly hasWindows?: boolean;
}

function assembled({ task, words = [], spoken = [], plan: own = plan, ...rest }: Heard) {
  const readings = (isSpeech: boolean) => speechReadings(isSpeech ? 8 : -8);
  const scored = (own.segments ?? []).map(({ start, end }, segment) => {
    return { segment, start, end, readings: readings(spoken.includes(segment)) };
  });
  const chunk: AnalyzedChunk = {
    ...{ index: 0, written: null, inferenceMs: 1, words: words.map(word) },
    scored: taskSteps[task].scores ? scored : [],
  };
  const { segments: found, speakers } = assembleRecording({
    ...{ language: null, includeLogits: true, formatNumbers: false, redact: null },
    hasWindows: rest.hasWindows ?? false,
    ...{ affect, durationSeconds: 10, steps: taskSteps[task], plan: own, chunks: [chunk] },
  });
  return {
    speakers,
    turns: found.map(({ start, end, speaker }) => [start, end, speaker]),
    labels: found.flatMap(({ emotions, styles }) => [...emotions, ...styles]),
  };
}

/** Of a segment with this logit of speech. */
function speechReadings(logit: number): readonly number[] {
  const { weights } = affect;
  return [...weights.mean, ...Array<number>(2 * weights.encoderBias.length).fill(0), logit];
}

test('a speaker who says no word is none, and the others are counted anew', (t) => {
  for (const task of ['transcription', 'analysis'] as const) {
    const { speakers, turns } = assembled({ task, words: [0.5, 5.1], spoken: [0, 1, 2, 3] });
    t.is(speakers, 2);
    t.deepEqual(turns, [
      [0, 2, 0],
      [5, 6, 1],
      [7, 8, 0],
    ]);
  }
});

test('where no words are recognised, a speaker sounds like one', (t) => {
  const { speakers, turns } = assembled({ task: 'affect', spoken: [1, 2] });
  t.is(speakers, 2);
  t.deepEqual(turns, [
    [3, 4, 0],
    [5, 6, 1],
  ]);
});

test('without anything said there is no speaker, and one segment if it is scored', (t) => {
  const silent = { speakers: null, turns: [[0, 10, null]], labels: [] };
  t.deepEqual(assembled({ task: 'analysis', spoken: [0, 1, 2, 3] }), silent);
  t.deepEqual(assembled({ task: 'emotion' }), silent);
  t.deepEqual(assembled({ task: 'transcription' }), { ...silent, turns: [] });
  const undiarized = { ...plan, segments: segments.map((s) => ({ ...s, speaker: null })) };
  const style = { task: 'style', plan: { ...undiarized, speakers: null } } as const;
  t.deepEqual(assembled(style), silent);
  t.is(assembled({ ...style, hasWindows: true }).turns.length, 4, 'windows stay');
});

test('speakers whose number was given stay if anybody speaks', (t) => {
  const exact = { ...plan, exactSpeakers: true as const };
  const { speakers, turns } = assembled({ task: 'analysis', words: [5.1], plan: exact });
  t.is(speakers, 3);
  t.is(turns.length, 4);
  t.is(assembled({ task: 'analysis', plan: exact }).speakers, null);
});

test('channels are speakers, whatever they hold', (t) => {
  const channels = { ...plan, channelSpeechSeconds: [3, 1, 1] };
  const { speakers, turns } = assembled({ task: 'analysis', words: [0.5], plan: channels });
  t.is(speakers, 3);
  t.is(turns.length, 4);
});
