// The high-pass filter: what it keeps, and what it takes away.
import test from 'ava';
import { highPass } from '../../../models/audio/high-pass.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';

/** Gain in dB of a tone once the filter has settled. */
function gainDb(hz: number): number {
  const tone = Float32Array.from({ length: sampleRate }, (_, i) => {
    return Math.sin((2 * Math.PI * hz * i) / sampleRate);
  });
  const power = (samples: Float32Array): number =>
    samples.subarray(sampleRate / 2).reduce((sum, sample) => sum + sample ** 2, 0);
  return 10 * Math.log10(power(highPass(tone, 300)) / power(tone));
}

test('half of the power is left at the cutoff, and 12 dB less for each octave below', (t) => {
  t.true(Math.abs(gainDb(300) + 3) < 0.1, `${gainDb(300)} dB at 300 Hz`);
  t.true(Math.abs(gainDb(50) + 31) < 0.5, `${gainDb(50)} dB at 50 Hz`);
  t.true(Math.abs(gainDb(25) + 43.2) < 0.5, `${gainDb(25)} dB at 25 Hz`);
  t.true(Math.abs(gainDb(1_000)) < 0.1, `${gainDb(1_000)} dB at 1 kHz`);
});

test('silence stays silence, and samples are as many', (t) => {
  t.deepEqual(highPass(new Float32Array(7), 300), new Float32Array(7));
  t.is(highPass(new Float32Array(0), 300).length, 0);
});
