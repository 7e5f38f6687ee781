// The common level of chunks; training/tests/test_common_level.py has the same values.
import test from 'ava';
import { atCommonLevel, atLeastLevel } from '../../../models/audio/common-level.ts';

const tone = (amplitude: number, samples = 16_000): Float32Array =>
  Float32Array.from({ length: samples }, (_, n) => amplitude * Math.sin(n / 9));

test('chunks of any gain have the same samples', (t) => {
  const expected = atCommonLevel(tone(0.4));
  for (const amplitude of [0.02, 0.1, 0.9]) {
    const found = atCommonLevel(tone(amplitude));
    t.true(
      found.every((sample, i) => Math.abs(sample - expected[i]!) < 1e-5),
      String(amplitude),
    );
  }
});

test('a click does not count, and neither do pauses', (t) => {
  const clicked = tone(0.1, 32_000);
  clicked.fill(0, 8_000, 32_000);
  const expected = atCommonLevel(clicked)[1_000]!;
  clicked[20_000] = 1;
  t.is(atCommonLevel(clicked)[1_000], expected);
});

test('silence and less than a hop are taken as they are', (t) => {
  t.deepEqual(atCommonLevel(new Float32Array(0)), new Float32Array(0));
  t.deepEqual(atCommonLevel(new Float32Array(3)), new Float32Array(3));
  t.is(atCommonLevel(Float32Array.of(0.1))[0]!.toFixed(3), '0.200');
});

test('a swelling saw has the gain that training gives it', (t) => {
  const count = 20_000;
  const saw = Float32Array.from(
    { length: count },
    (_, n) => (((0.3 * ((n % 97) - 48)) / 48) * n) / count,
  );
  const scaled = atCommonLevel(saw);
  t.is(scaled[999]!.toFixed(6), '-0.007229');
  t.is(scaled[19_999]!.toFixed(6), '-0.236113');
});

test('what is quiet is raised, and the rest is not touched', (t) => {
  const loud = tone(0.4);
  t.is(atLeastLevel(loud), loud);
  const rms = (samples: Float32Array): number =>
    Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  for (const amplitude of [0.1, 0.01, 0.004]) {
    t.true(Math.abs(rms(atLeastLevel(tone(amplitude))) - 0.1) < 0.01, String(amplitude));
  }
  t.true(rms(atLeastLevel(tone(0.0001))) < 0.005, 'by a bounded gain');
  const silence = new Float32Array(2_000);
  t.is(atLeastLevel(silence), silence);
});
