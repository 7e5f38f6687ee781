// Two channels become one, also when one of them is turned over.
import test from 'ava';
import { createPairMean } from '../../../models/audio/channel-pair.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { speech } from '../../support/speech.ts';

const rate = 16_000;
const blockSamples = 370;

function mean(left: Float32Array, right: Float32Array): Float32Array {
  const pair = createPairMean(rate);
  const all = new Float32Array(left.length);
  for (let from = 0; from < left.length; from += blockSamples) {
    const to = from + blockSamples;
    all.set(pair(left.subarray(from, to), right.subarray(from, to)), from);
  }
  return all;
}

const caller = async (): Promise<Float32Array> => toFloat(await speech('The number is four.'));

test('equal channels, one that is silent, and two speakers are their mean', async (t) => {
  const left = await caller();
  const other = toFloat(await speech('Good morning, how can I help you today?'));
  const right = new Float32Array(left.length);
  right.set(other.subarray(0, left.length));
  t.deepEqual(mean(left, left), left);
  const halves = left.map((sample) => sample / 2);
  t.deepEqual(mean(left, new Float32Array(left.length)), halves);
  const both = left.map((sample, i) => (sample + right[i]!) / 2);
  t.deepEqual(mean(left, right), both);
});

test('opposites are heard, also when one of them is quieter', async (t) => {
  const left = await caller();
  const opposite = left.map((sample) => -sample);
  t.deepEqual(mean(left, opposite), left);
  const quieter = left.map((sample) => -0.7 * sample);
  const energy = (samples: Float32Array): number => samples.reduce((sum, x) => sum + x * x, 0);
  t.true(energy(mean(left, quieter)) > 0.6 * energy(left));
});

test('a channel that is turned back within a recording is heard again', async (t) => {
  const left = await caller();
  const right = left.map((sample, i) => (i < left.length / 2 ? -sample : sample));
  const heard = mean(left, right);
  const lost = heard.filter((sample, i) => sample === 0 && left[i] !== 0).length;
  t.true(lost < 5 * rate * 0.2, `${lost} samples`);
});
