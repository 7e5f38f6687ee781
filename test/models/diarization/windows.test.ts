// Where speaker embeddings are taken, and which windows need none of their own.
import test from 'ava';
import { betweenAlike } from '../../../models/diarization/similar-windows.ts';
import { planWindows, windowsBetween, windowSamples } from '../../../models/diarization/windows.ts';

const rate = 16_000;
const span = (start: number, end: number) => ({ startSample: start * rate, endSample: end * rate });

test('of far windows every second one of a segment lies between two others of it', (t) => {
  const speech = [span(1, 2), span(3, 10), span(11, 15), span(16, 400)];
  const starts = planWindows(speech, 401 * rate);
  const between = windowsBetween(starts, speech);
  const segmentOf = (i: number): number =>
    speech.findIndex(({ endSample }) => starts[i]! + windowSamples / 2 < endSample);
  for (const i of between) {
    t.is(segmentOf(i - 1), segmentOf(i));
    t.is(segmentOf(i + 1), segmentOf(i));
    t.false(between.includes(i + 1));
  }
  t.true(between.length > 0.4 * starts.length);
});

test('a segment shorter than a window gets one that is centred on it', (t) => {
  const [start] = planWindows([{ startSample: 100_000, endSample: 112_800 }], 1_000_000);
  t.is(start! + windowSamples / 2, (100_000 + 112_800) / 2);
});

test('close windows all have an embedding of their own', (t) => {
  const speech = [span(1, 2), span(3, 10), span(11, 200)];
  t.deepEqual(windowsBetween(planWindows(speech, 201 * rate), speech), []);
});

test('a window between two alike ones gets the unit vector between theirs', (t) => {
  const [one, other] = [Float32Array.of(1, 0), Float32Array.of(0.8, 0.6)];
  const vector = betweenAlike(new Map([0, 2].map((i) => [i, i === 0 ? one : other])), 1)!;
  t.true(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  t.true(Math.abs(vector[0]! * one[0]! - (vector[0]! * other[0]! + vector[1]! * other[1]!)) < 1e-6);
});

test('a window between two voices has to be embedded', (t) => {
  const [one, other] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
  t.is(betweenAlike(new Map([0, 2].map((i) => [i, i === 0 ? one : other])), 1), null);
});
