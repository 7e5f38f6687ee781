// Delays of copies, filtered ones and none.
import test from 'ava';
import { createDelayFinder } from '../../../models/audio/delay.ts';
import { createRandom } from '../../support/random.ts';

const rate = 8_000;
const [samples, maxDelaySamples, maxLeadSamples] = [4_096, 2_400, 80];
const find = createDelayFinder({
  ...{ rate, samples, maxDelaySamples, maxLeadSamples, band: [200, 3_400] },
});
const noise = (seed: number, length: number): Float32Array => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, () => random() - 0.5);
};
const held = noise(1, samples + maxDelaySamples + maxLeadSamples);
/** What the other signal is so many samples later. */
const delayed = (delay: number): Float32Array =>
  held.slice(maxDelaySamples - delay, maxDelaySamples - delay + samples);

test('a copy is found at its delay, whatever its level and sign of delay', (t) => {
  for (const delay of [-80, -1, 0, 1, 37, 800, 2_400]) {
    const { delaySamples, similarity } = find(
      delayed(delay).map((sample) => sample / 50),
      held,
    );
    t.is(delaySamples, delay);
    t.true(similarity > 0.6, `${delay}: ${similarity}`);
  }
});

test('a filtered copy in noise is found, and another signal is not', (t) => {
  const own = noise(2, samples);
  const copy = delayed(300);
  const filtered = copy.map((sample, i) => sample - 0.9 * (copy[i - 1] ?? 0) + 0.3 * own[i]!);
  const found = find(filtered, held);
  t.is(found.delaySamples, 300);
  t.true(found.similarity > 0.3, `${found.similarity}`);
  for (let seed = 3; seed < 20; seed += 1) {
    const { similarity } = find(noise(seed, samples), held);
    t.true(similarity < 0.12, `${seed}: ${similarity}`);
  }
});

test('silence is like nothing', (t) => {
  t.is(find(new Float32Array(samples), held).similarity, 0);
});
