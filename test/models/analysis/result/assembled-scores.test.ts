// Which parts of a recording give the scores of a segment, and which those of the whole.
import test from 'ava';
import fc from 'fast-check';
import { areFloorLogits } from '../../../../models/affect/no-speech.ts';
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

test('the only segment has the scores of the recording, edges included', (t) => {
  const words = [
    { word: 'one', start: 9, end: 10.5, confidence: 1 },
    { word: 'two.', start: 10.6, end: 12, confidence: 1 },
  ];
  const result = assembled({ words, scored: [part(0, 10, 0), part(10, 13, 3)] });
  t.is(result.segments.length, 1);
  const [own, whole] = [result.segments[0]!.logits![0]!, result.logits![0]!];
  t.true(Math.abs(whole - 9 / 13) < 1e-9, `${whole}`);
  t.is(own, whole);
});

test('a part is divided in the middle of the pause between the segments that it overlaps', (t) => {
  const words = [
    { word: 'one.', start: 1, end: 2, confidence: 1 },
    { word: 'Two.', start: 4, end: 5, confidence: 1 },
  ];
  const scored = [part(0, 2.5, 1), part(2.5, 6, 5), part(6.2, 6.4, 8)];
  const [one, two] = assembled({ words, scored }).segments;
  t.true(Math.abs(one!.logits![0]! - 1) < 1e-9);
  t.true(Math.abs(two!.logits![0]! - 5) < 1e-9, 'what is far off counts for nothing');
  const joint = assembled({ words, scored: [part(0, 6, 2), part(5.2, 6, 7)] });
  t.true(Math.abs(joint.segments[0]!.logits![0]! - 2) < 1e-9);
  t.true(Math.abs(joint.segments[1]!.logits![0]! - (3 * 2 + 0.8 * 7) / 3.8) < 1e-9);
});

test("a recording's scores are means of its segments', by the speech in each", (t) => {
  const seconds = fc.double({ min: 0.2, max: 4, noNaN: true });
  const lengths = fc.array(fc.tuple(seconds, seconds), { minLength: 1, maxLength: 8 });
  const values = fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(lengths, lengths, values, (spoken, heard, given) => {
      let clock = 0;
      const words = spoken.map(([pause, length]) => {
        const start = (clock += pause);
        return { word: 'So.', start, end: (clock += length), confidence: 1 };
      });
      clock = 0;
      const scored = heard.map(([pause, length], i) => {
        const start = (clock += pause);
        return part(start, (clock += length), given[i]!);
      });
      const { logits: whole, segments } = assembled({ words, scored });
      const own = segments.map((segment) => segment.logits![0]!);
      const ofSpeech = own.filter((_, i) => !areFloorLogits(segments[i]!.logits!));
      if (ofSpeech.length === 0) return;
      t.true(whole![0]! <= Math.max(...ofSpeech) + 1e-9, `${whole![0]} of ${own.join()}`);
      t.true(whole![0]! >= Math.min(...ofSpeech) - 1e-9, `${whole![0]} of ${own.join()}`);
      if (segments.length === 1) t.is(whole![0], own[0]);
    }),
  );
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
