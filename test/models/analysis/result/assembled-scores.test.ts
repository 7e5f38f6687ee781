// Which parts of a recording give the scores of a segment, and which those of the whole.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import { assembleRecording } from '../../../../models/analysis/result/assemble.ts';
import type { RecordingPlan } from '../../../../models/analysis/plan/plan.ts';
import { sigmoid } from '../../../../models/asr/sigmoid.ts';
import { taskSteps } from '../../../../models/contract/tasks.ts';

const plan: RecordingPlan = { chunks: [], segments: null, speakers: null, speechSeconds: 5 };
const logits = (value: number): number[] => Array<number>(31).fill(value);
const part = (start: number, end: number, value: number) => ({
  ...{ segment: null, start, end },
  readings: logits(value),
});

const assembled = (chunk: Pick<AnalyzedChunk, 'words' | 'scored'>) =>
  assembleRecording({
    ...{ language: null, includeLogits: true, formatNumbers: false, redact: null, affect: null },
    ...{ durationSeconds: 20, steps: taskSteps.analysis, plan, hasWindows: false },
    chunks: [{ index: 0, written: null, inferenceMs: 1, ...chunk }],
  });

test('a segment has the scores of what it overlaps, the whole also those of the edges', (t) => {
  const words = [
    { word: 'one', start: 9, end: 10.5, confidence: 1 },
    { word: 'two.', start: 10.6, end: 12, confidence: 1 },
  ];
  const result = assembled({ words, scored: [part(0, 10, 0), part(10, 13, 3)] });
  t.is(result.segments.length, 1);
  const [own, whole] = [result.segments[0]!.logits![0]!, result.logits![0]!];
  // One second of the first part, two of the second one.
  t.true(Math.abs(own - 2) < 1e-9, `${own}`);
  t.true(Math.abs(whole - 9 / 13) < 1e-9, `${whole}`);
});

test('what sounds like speech far from all words gives no scores to the whole', (t) => {
  const words = [{ word: 'one.', start: 9, end: 10, confidence: 1 }];
  const scored = [part(0, 3, 9), part(8.9, 10, 1), part(10.4, 11, 1)];
  const { logits: whole } = assembled({ words, scored });
  t.true(Math.abs(whole![0]! - 1) < 1e-9, `${whole![0]}`);
});

test('speech without a word gives no scores to the whole', (t) => {
  const result = assembled({ words: [], scored: [part(0, 9, 2)] });
  t.true(result.logits!.every((logit) => sigmoid(logit) < 0.1));
});

test('a cough that is written as a murmur is no word, and gives no scores', (t) => {
  const cough = { word: 'Uh-huh.', start: 1, end: 1.2, confidence: 0.01 };
  const result = assembled({ words: [cough], scored: [part(0, 9, 2)] });
  t.is(result.text, '');
  t.true(result.logits!.every((logit) => sigmoid(logit) < 0.1));
  const said = assembled({ words: [{ ...cough, confidence: 0.6 }], scored: [part(0, 9, 2)] });
  t.is(said.text, 'Uh-huh.');
});
