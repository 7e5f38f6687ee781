// Offsets of microphones: those that are there go, and recordings without one stay as they are.
import test from 'ava';
import fc from 'fast-check';
import { createOffsetRemoval } from '../../../models/audio/dc-offset.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { speech, tone } from '../../support/speech.ts';

const blockSamples = 64_000;

function removeOffset(pcm: Int16Array, size = blockSamples): Int16Array {
  const remove = createOffsetRemoval();
  const blocks: Int16Array[] = [];
  for (let from = 0; from < pcm.length; from += size) {
    blocks.push(remove(pcm.slice(from, from + size)));
  }
  return joinSamples(blocks);
}

function meanOf(pcm: Int16Array): number {
  return pcm.reduce((sum, sample) => sum + sample, 0) / pcm.length;
}

test('a recording without an offset keeps every sample, however it is cut', async (t) => {
  const spoken = await speech('We have received the letter of your lawyer.');
  fc.assert(
    fc.property(
      fc.integer({ min: 1_600, max: spoken.length }),
      fc.integer({ min: 4_000, max: 64_000 }),
      (samples, size) => {
        const pcm = spoken.slice(0, samples);
        t.deepEqual(removeOffset(pcm, size), pcm);
      },
    ),
    { numRuns: 40 },
  );
});

for (const [offset, gain] of [
  [16_000, 0.1],
  [-16_000, 0.1],
  [1_000, 1],
  [300, 0.005],
] as const) {
  test(`speech at ${gain} beside an offset of ${offset} is as if it were not there`, async (t) => {
    const spoken = await speech('We have received the letter of your lawyer.');
    const quiet = spoken.map((sample) => Math.round(sample * gain));
    const level = removeOffset(quiet.map((sample) => sample + offset));
    t.true(Math.abs(meanOf(level)) < 3, `${meanOf(level)}`);
    const difference = Math.max(...level.map((sample, i) => Math.abs(sample - quiet[i]!)));
    t.true(difference <= Math.abs(meanOf(quiet)) + 3, `${difference}`);
  });
}

test('an offset that begins within a recording goes without a step', (t) => {
  const pcm = tone(440, 24).map((sample, i) => Math.round(sample / 4) + (i < 128_000 ? 0 : 4_000));
  const level = removeOffset(pcm);
  t.true(Math.abs(meanOf(level.subarray(320_000))) < 20, `${meanOf(level.subarray(320_000))}`);
  const largestStep = (samples: Int16Array): number =>
    samples.reduce((most, sample, i) => Math.max(most, Math.abs(sample - samples[i - 1]!) || 0), 0);
  t.true(largestStep(level.subarray(128_000)) <= largestStep(pcm.subarray(128_000)) + 2);
});

test('loud samples beside an offset do not wrap around', (t) => {
  const pcm = Int16Array.from({ length: 32_000 }, (_, i) => (i % 2 === 0 ? -32_768 : 20_000));
  const level = removeOffset(pcm);
  t.is(Math.max(...level), 20_000 + 6_384);
  t.is(Math.min(...level), -32_768 + 6_384);
});
