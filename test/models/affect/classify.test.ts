// The classification of segments: what is relative to the recording, what is on the floor, and that
// the order of the segments does not matter.
import test from 'ava';
import { classifySegments, type SegmentReadings } from '../../../models/affect/classify.ts';
import { areFloorLogits } from '../../../models/affect/no-speech.ts';
import type { AffectWeights } from '../../../models/bundles/head-weights.ts';
import { emotionLabels, styleLabels } from '../../../models/contract/labels.ts';

const recorded = { happy: 0, neutral: 1 } as const;
const placedLabels = [...emotionLabels, ...styleLabels].filter((label) => !(label in recorded));
/** One functional; two classes: happy where it is high. */
const weights: AffectWeights = {
  functionals: ['pitch'],
  mean: [0],
  deviation: [1],
  absolute: { weights: [[1, -1]], bias: [0, 0] },
  relative: { weights: [[1, -1]], bias: [0, 0] },
  encoderBias: [0, 0],
  // Up to a pitch of 3.
  familiar: { centre: [0], directions: [[1]], variances: [1], rest: 1, limit: 3 },
  recorded,
  places: [
    [1, 1, 1],
    [0, 0, 0],
  ],
  measures: ['pitch'],
  placed: Object.fromEntries(
    placedLabels.map((label) => [label, { weights: [1, 0, 0, 0, 0], bias: -3 }]),
  ),
};
const segment = (at: number, pitch: number, speaker: number | null = null): SegmentReadings => ({
  start: at,
  end: at + 2,
  speaker,
  // It is speech when the pitch is positive.
  readings: [pitch, 0, 0, 0, 0, pitch],
});
const happy = (logits: readonly number[]): number => logits[emotionLabels.indexOf('happy')]!;

test('a lone segment is classified by the absolute view', (t) => {
  const [alone] = classifySegments(weights, [segment(0, 1)]);
  t.is(happy(alone!), 2);
  t.is(alone!.length, 31);
});

test('of half a second half as much is made', (t) => {
  const [short] = classifySegments(weights, [{ ...segment(0, 1), end: 0.5 }]);
  t.is(happy(short!), 1);
});

test('of a strange voice less is made when it is alone, and no less among others', (t) => {
  const [strange] = classifySegments(weights, [segment(0, 4)]);
  t.is(happy(strange!), 8 * (3 / 4) ** 3);
  const calm = Array.from({ length: 6 }, (_, i) => segment(3 * i, 1));
  const near = classifySegments(weights, [segment(30, 3), ...calm])[0]!;
  const far = classifySegments(weights, [segment(30, 4), ...calm])[0]!;
  t.true(happy(far) > happy(near) + 1);
});

test('a segment among others is classified relative to them', (t) => {
  const calm = Array.from({ length: 6 }, (_, i) => segment(3 * i, 1));
  t.true(happy(classifySegments(weights, calm)[0]!) < 1);
  const [, ...rest] = calm;
  const [moved] = classifySegments(weights, [segment(0, 3), ...rest]);
  t.true(happy(moved!) > happy(classifySegments(weights, calm)[0]!) + 2);
});

test('one utterance has no comparison, however many segments it has', (t) => {
  const close = Array.from({ length: 6 }, (_, i) => segment(2.1 * i, 1));
  t.is(happy(classifySegments(weights, close)[0]!), 2);
});

test('speakers are compared with themselves', (t) => {
  const low = Array.from({ length: 6 }, (_, i) => segment(6 * i, 0.5, 0));
  const high = Array.from({ length: 6 }, (_, i) => segment(6 * i + 3, 2.5, 1));
  const apart = classifySegments(weights, [...low, ...high]);
  t.deepEqual(apart.slice(0, 6), classifySegments(weights, low) as number[][]);
});

test('a segment without speech has floor logits and is not part of the comparison', (t) => {
  const speech = Array.from({ length: 5 }, (_, i) => segment(3 * i, 1 + (i % 2)));
  const classified = classifySegments(weights, [...speech, segment(30, -3)]);
  t.true(areFloorLogits(classified[5]!));
  t.deepEqual(classified.slice(0, 5), classifySegments(weights, speech) as number[][]);
});

test('the order of the segments does not matter', (t) => {
  const speech = Array.from({ length: 5 }, (_, i) => segment(3 * i, 0.5 + i));
  const backwards = classifySegments(weights, speech.toReversed()).toReversed();
  classifySegments(weights, speech).forEach((logits, i) => {
    t.true(Math.abs(happy(logits) - happy(backwards[i]!)) < 1e-9);
  });
});
