// Hysteresis and minimum lengths of speech regions.
import test from 'ava';
import { findSpeechRegions } from '../../../models/vad/speech-regions.ts';

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
