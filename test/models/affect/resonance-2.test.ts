// The mathematics of Resonance-2: averaging, calibration, axes, selection, abstention, windows.
import test from 'ava';
import fc from 'fast-check';
import { axisPoles, emotionLabels, styleLabels } from '../../../models/contract/labels.ts';
import { resonance2Model, windowOf } from '../../../models/contract/served-models.ts';
import type { Calibration } from '../../../models/bundles/calibration.ts';
import { floorLogits } from '../../../models/affect/no-speech.ts';
import { scoreWindows } from '../../../models/affect/resonance-2.ts';
import { chunkSeconds } from '../../../models/analysis/plan/chunk-samples.ts';
import type { SpeechSegment } from '../../../models/analysis/plan/speech-segments.ts';
import { isDigitalSilence, planFixedWindows } from '../../../models/analysis/plan/fixed-windows.ts';

const labels = [...emotionLabels, ...styleLabels];
const calibration: Calibration = {
  labels: Object.fromEntries(
    labels.map((label, i) => [
      label,
      { slope: 1, offset: 0, f1: 0.5, precision: i % 2 === 0 ? 0.8 : null },
    ]),
  ),
};
const logits = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 31, maxLength: 31 });
const windows = fc.array(logits, { minLength: 1, maxLength: 6 });

test('axes are differences, unipolar values are scores, opposites are never both selected', (t) => {
  fc.assert(
    fc.property(windows, fc.constantFrom('f1', 'precision'), (given, regime) => {
      const result = scoreWindows(given, calibration, regime as 'f1' | 'precision');
      t.deepEqual(Object.keys(result.scores), labels);
      t.is(Object.keys(result.unipolar).length, 19);
      for (const [label, score] of Object.entries(result.unipolar)) {
        t.is(score, result.scores[label]!);
      }
      const selected = result.labels.map(({ label }) => label);
      for (const [a, b] of axisPoles) {
        const difference = result.scores[a]! - result.scores[b]!;
        t.true(Math.abs(result.axes[`${a}_${b}`]! - difference) < 1e-6);
        t.false(selected.includes(a) && selected.includes(b));
      }
      for (const { label, score } of result.labels) {
        t.true(score >= calibration.labels[label]![regime as 'f1']!);
      }
    }),
  );
});

test('of two selected opposites the higher stays', (t) => {
  const window = (high: string, low: string): number[] =>
    labels.map((label) => (label === high ? 3 : label === low ? 1 : -6));
  for (const [a, b] of axisPoles) {
    for (const [high, low] of [
      [a, b],
      [b, a],
    ] as const) {
      const selected = scoreWindows([window(high, low)], calibration, 'f1').labels;
      t.deepEqual(
        selected.map(({ label }) => label),
        [high],
      );
    }
  }
});

test('the mean of windows is calibrated, not the mean of scores', (t) => {
  const window = (value: number): number[] => Array<number>(31).fill(value);
  const { scores } = scoreWindows([window(-1), window(3)], calibration, 'f1');
  t.is(scores.happy, 0.731059);
});

test('digital silence is a constant within one step; then everything is zero', (t) => {
  t.true(isDigitalSilence(Int16Array.of(5, 4, 6, 5)));
  t.false(isDigitalSilence(Int16Array.of(5, 4, 7)));
  const { scores, axes, labels: none } = scoreWindows([], calibration, 'f1');
  t.true([...Object.values(scores), ...Object.values(axes)].every((value) => value === 0));
  t.deepEqual(none, []);
});

test('20 s are one window, one sample more are two; 120 s are six', (t) => {
  const count = (sourceSamples: number, sourceRate: number): number => {
    const samples = Math.ceil((sourceSamples * 16_000) / sourceRate);
    const audio = { samples, sourceSamples, sourceRate, speechSegments: null };
    return planFixedWindows({ ...audio, windows: windowOf(resonance2Model)! }).chunks.length;
  };
  t.is(count(320_000, 16_000), 1);
  t.is(count(320_001, 16_000), 2);
  t.is(count(319_999, 16_000), 1);
  t.is(count(20 * 44_100, 44_100), 1);
  t.is(count(120 * 44_100, 44_100), 6);
});

test('a window is read up to half a second behind its speech', (t) => {
  const windows = windowOf(resonance2Model)!;
  const planned = (seconds: number, speechSegments: readonly SpeechSegment[]) => {
    const samples = seconds * 16_000;
    const audio = { samples, sourceSamples: samples, sourceRate: 16_000 };
    return planFixedWindows({ ...audio, speechSegments, windows }).chunks.map((chunk) => [
      chunk.endSample,
      chunkSeconds(chunk),
      chunk.spans[0]!.end,
    ]);
  };
  const short = [{ start: 0.2, end: 3.02 }];
  t.deepEqual(planned(3, short), [[48_000, 3.52, 3.02]]);
  t.deepEqual(planned(15, short), [[56_320, 3.52, 3.02]]);
  t.deepEqual(planned(25, [{ start: 0.2, end: 24.9 }]), [
    [320_000, 20, 20],
    [400_000, 5.4, 24.9 - 20],
  ]);
});

test('windows without speech are not scored, and do not dilute those with it', (t) => {
  const window = (value: number): number[] => Array<number>(31).fill(value);
  const floor = [...floorLogits()];
  const { scores } = scoreWindows([window(2), floor, floor], calibration, 'f1');
  t.is(scores.happy, 0.880797);
  const silent = scoreWindows([floor, floor], calibration, 'f1');
  t.true(Object.values(silent.scores).every((score) => score > 0 && score < 0.1));
  t.true(Object.values(silent.axes).every((axis) => axis === 0));
  t.deepEqual(silent.labels, []);

  const audio = { samples: 960_000, sourceSamples: 960_000, sourceRate: 16_000 };
  const speechSegments = [
    { start: 0.4, end: 2 },
    { start: 19.95, end: 20.02 },
    { start: 42.4, end: 43 },
  ];
  const plan = planFixedWindows({ ...audio, speechSegments, windows: windowOf(resonance2Model)! });
  t.is(plan.segments!.length, 3);
  t.deepEqual(
    plan.chunks.map(({ index, startSample, spans }) => [index, startSample, spans![0]!.segment]),
    [
      [0, 0, 0],
      [1, 41.9 * 16_000, 2],
    ],
  );
});
