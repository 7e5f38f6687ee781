// The anchor of a sound: where it is in the sound does not depend on what surrounds it.
import test from 'ava';
import { anchorOf } from '../../../models/audio/anchor.ts';
import { createRandom } from '../../support/random.ts';

const random = createRandom(5);
const noise = (samples: number, amplitude: number): Float32Array =>
  Float32Array.from({ length: samples }, () => amplitude * (2 * random() - 1));

test('the anchor moves with the sound, at any level', (t) => {
  const sound = Float32Array.of(...noise(4_000, 0.1), ...noise(2_000, 0.5), ...noise(7_000, 0.2));
  const anchor = anchorOf(sound);
  t.true(anchor > 4_000 && anchor < 6_000);
  for (const before of [0, 1, 383, 5_000]) {
    const padded = Float32Array.of(...new Float32Array(before), ...sound, 0, 0, 0);
    t.is(anchorOf(padded), before + anchor);
    t.is(anchorOf(padded.map((sample) => sample / 64)), before + anchor);
  }
});

test('what is quiet at its edges hardly moves it', (t) => {
  const sound = noise(8_000, 0.5);
  const noisy = Float32Array.of(...noise(3_000, 0.05), ...sound, ...noise(100, 0.05));
  t.true(Math.abs(anchorOf(noisy) - 3_000 - anchorOf(sound)) <= 3);
});

test('silence has its anchor at its start', (t) => {
  t.is(anchorOf(new Float32Array(500)), 0);
  t.is(anchorOf(new Float32Array(0)), 0);
});
