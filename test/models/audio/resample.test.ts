// The resampler: it preserves length and tones, removes aliases, and is independent of the block
// size.
import { createHash } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { createResampler } from '../../../models/audio/resample.ts';

function resample(
  samples: Float32Array,
  rate: number,
  blocks: readonly number[] = [],
): Float32Array {
  const resampler = createResampler(rate);
  const parts: Float32Array[] = [];
  let offset = 0;
  for (const length of [...blocks, samples.length]) {
    parts.push(resampler.convert(samples.subarray(offset, offset + length)));
    offset = Math.min(samples.length, offset + length);
  }
  parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

function sine(hz: number, rate: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rate));
}

const rates = [4_000, 8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000];

test('a recording keeps its length at every rate', (t) => {
  for (const rate of rates) {
    for (const count of [0, 1, 79, 80, 441, 4_001]) {
      const expected = Math.ceil((count * 16_000) / rate);
      t.is(resample(new Float32Array(count), rate).length, expected, `${count} at ${rate}`);
    }
  }
});

test('a tone in the pass band comes out as the same tone, 50 dB above the error', (t) => {
  for (const rate of rates) {
    const hz = Math.min(1_000, rate / 8);
    const out = resample(sine(hz, rate, rate), rate);
    const ideal = sine(hz, 16_000, out.length);
    let error = 0;
    for (let i = 1_000; i < out.length - 1_000; i += 1) error += (out[i]! - ideal[i]!) ** 2;
    const decibels = 10 * Math.log10(error / (out.length - 2_000) / 0.5);
    t.true(decibels < -50, `${rate} Hz: ${decibels.toFixed(1)} dB`);
  }
});

/** They share few divisors with 16 kHz, so that their phases are interpolated. */
const oddRates = [4_001, 11_127, 15_999, 22_255, 44_101, 383_999];

test('a tone at an odd rate is as clean as at the common rate beside it', (t) => {
  for (const rate of oddRates) {
    for (const hz of [rate / 16, rate / 8].map((each) => Math.min(each, 6_000))) {
      const out = resample(sine(hz, rate, rate), rate);
      const ideal = sine(hz, 16_000, out.length);
      let error = 0;
      for (let i = 1_000; i < out.length - 1_000; i += 1) error += (out[i]! - ideal[i]!) ** 2;
      const decibels = 10 * Math.log10(error / (out.length - 2_000) / 0.5);
      t.true(decibels < -85, `${hz} at ${rate} Hz: ${decibels.toFixed(1)} dB`);
    }
  }
});

test.serial('the filter of an odd rate is no larger than others', (t) => {
  const { sin } = Math;
  t.teardown(() => (Math.sin = sin));
  let taps = 0;
  Math.sin = (x) => ((taps += 1), sin(x));
  for (const rate of [...rates, ...oddRates]) {
    taps = 0;
    createResampler(rate);
    t.true(taps < 60_000, `${rate} Hz: ${taps} taps`);
  }
});

test('common rates are converted with exact phases: their samples stay the same', (t) => {
  const hash = createHash('sha256');
  for (const rate of rates) hash.update(resample(sine(440, rate, 4_000), rate));
  t.is(hash.digest('hex').slice(0, 16), '0c39ef412c7fef3e');
});

test('a tone above the new Nyquist rate is at least 60 dB down', (t) => {
  for (const rate of [44_100, 48_000, 96_000]) {
    const out = resample(sine(9_500, rate, rate), rate).subarray(1_000, -1_000);
    const power = out.reduce((sum, value) => sum + value * value, 0) / out.length;
    t.true(10 * Math.log10(power / 0.5) < -60, `${rate} Hz`);
  }
});

test('blocks of any size give the same samples', (t) => {
  const samples = sine(440, 44_100, 3_000);
  const whole = resample(samples, 44_100);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 8 }), (blocks) => {
      t.deepEqual(resample(samples, 44_100, blocks), whole);
    }),
    { numRuns: 30 },
  );
});
