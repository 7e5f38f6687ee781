// The phase of a sound: where it is in the sound does not depend on what surrounds it.
import test from 'ava';
import { soundPhase } from '../../../models/audio/sound-phase.ts';
import { createRandom } from '../../support/random.ts';

const period = 384;
const random = createRandom(5);
const noise = (samples: number, amplitude: number): Float32Array =>
  Float32Array.from({ length: samples }, () => amplitude * (2 * random() - 1));
const distance = (one: number, other: number): number => {
  const apart = Math.abs(one - other) % period;
  return Math.min(apart, period - apart);
};

test('the phase moves with the sound, at any level', (t) => {
  const sound = Float32Array.of(...noise(4_000, 0.1), ...noise(2_000, 0.5), ...noise(7_000, 0.2));
  const phase = soundPhase(sound, period);
  for (const before of [0, 1, 383, 5_000]) {
    const padded = Float32Array.of(...new Float32Array(before), ...sound, 0, 0, 0);
    t.is(soundPhase(padded, period), (before + phase) % period);
    const quiet = padded.map((sample) => sample / 64);
    t.is(soundPhase(quiet, period), (before + phase) % period);
  }
});

test('what is quiet at its edges hardly moves it', (t) => {
  const sound = noise(8_000, 0.5);
  const noisy = Float32Array.of(...noise(3_000, 0.05), ...sound, ...noise(100, 0.05));
  const moved = soundPhase(noisy, period) - 3_000;
  t.true(distance(moved + 8 * period, soundPhase(sound, period)) <= 3);
});

test('a pulse has its place, and of two words neither decides alone', (t) => {
  const pulse = new Float32Array(5_000);
  pulse[4_321] = 0.3;
  t.is(soundPhase(pulse, period), 4_321 % period);
  const words = (second: number): Float32Array => {
    const one = new Float32Array(20_000);
    for (const [at, amplitude] of [
      [1_000, 0.5],
      [1_090, 0.4],
      [19_000, second],
    ] as const) {
      one[at] = amplitude;
    }
    return one;
  };
  // Half of the sound is in the first word, or in the second.
  const [below, above] = [0.52, 0.54].map((second) => soundPhase(words(second), period));
  t.true(distance(below!, above!) <= 12, `${below} ${above}`);
});

test('silence begins with a frame', (t) => {
  t.is(soundPhase(new Float32Array(500), period), 0);
  t.is(soundPhase(new Float32Array(0), period), 0);
});

test('a swelling saw has the phase that training finds', (t) => {
  const count = 20_000;
  const saw = Float32Array.from(
    { length: count },
    (_, n) => (((0.3 * ((n % 97) - 48)) / 48) * n) / count,
  );
  t.is(soundPhase(saw, period), 347);
});
