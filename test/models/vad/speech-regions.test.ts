// Hysteresis and minimum lengths of speech regions, and faint speech.
import test from 'ava';
import { findSpeechRegions, hearSpeech } from '../../../models/vad/speech-regions.ts';

const regions = (...runs: readonly (readonly [number, number])[]) =>
  findSpeechRegions(Float32Array.from(runs.flatMap(([hops, p]) => Array<number>(hops).fill(p))));

test('a region opens at 0.5 and closes below 0.35', (t) => {
  t.deepEqual(regions([10, 0.1], [10, 0.6], [5, 0.4], [10, 0.1]), [{ startHop: 10, endHop: 25 }]);
  t.deepEqual(regions([20, 0.4]), []);
});

test('a short silence is bridged, a long one is not', (t) => {
  t.is(regions([10, 0.9], [2, 0], [10, 0.9]).length, 1);
  t.is(regions([10, 0.9], [4, 0], [10, 0.9]).length, 2);
});

test('a click is not speech, unless the recording is that short', (t) => {
  t.deepEqual(regions([10, 0], [3, 0.9], [10, 0]), []);
  t.is(regions([3, 0.9]).length, 1);
});

const heard = (...runs: readonly (readonly [number, number])[]) =>
  hearSpeech(Float32Array.from(runs.flatMap(([hops, p]) => Array<number>(hops).fill(p))));

test('a short recording without a region may have faint speech', (t) => {
  const faint = heard([3, 0], [2, 0.4], [4, 0.15], [5, 0.05]);
  t.deepEqual(faint, { regions: [{ startHop: 3, endHop: 9 }], isFaint: true });
  const apart = heard([3, 0], [2, 0.3], [10, 0], [2, 0.3], [11, 0], [2, 0.3]);
  t.deepEqual(apart, { regions: [{ startHop: 3, endHop: 17 }], isFaint: true });
  t.deepEqual(heard([5, 0], [8, 0.19], [5, 0]), { regions: [], isFaint: false });
  t.deepEqual(heard([5, 0], [3, 0.45], [5, 0]), { regions: [], isFaint: false });
});

test('a recording with a region, or of more than two seconds, has none', (t) => {
  const spoken = heard([10, 0.9], [10, 0], [5, 0.4]);
  t.deepEqual(spoken, { regions: [{ startHop: 0, endHop: 10 }], isFaint: false });
  t.deepEqual(heard([76, 0], [10, 0.4]), { regions: [], isFaint: false });
});
