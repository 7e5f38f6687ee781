// Functionals of speech against their Python twin, which wrote functionals.json:
// PYTHONPATH=training python training/tests/functional_values.py (its docstring)
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { describe } from '../../../models/affect/descriptors.ts';
import { speechFunctionals } from '../../../models/affect/functionals.ts';
import { createTransform } from '../../../models/audio/fourier.ts';
import { createRandom } from '../../support/random.ts';

/** 1.5 s of a gliding vowel in faint noise. */
function testSignal(): Float32Array {
  let phase = 0;
  let state = 1;
  return Float32Array.from({ length: 24_000 }, (_, i) => {
    const time = i / 16_000;
    const hertz = 130 + 40 * Math.sin(2 * Math.PI * 1.5 * time);
    phase += hertz;
    let partials = 0;
    for (let k = 1; k <= 20; k += 1) {
      const formant = 2 * Math.exp(-(((k * hertz - 700) / 250) ** 2));
      partials += (1 / k + formant) * Math.sin((k * 2 * Math.PI * phase) / 16_000);
    }
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 3 * time);
    return 0.05 * swell * partials + 0.01 * (state / 2 ** 32 - 0.5);
  });
}

test('functionals are those of the Python twin, by name and order', async (t) => {
  const url = new URL('functionals.json', import.meta.url);
  const expected = JSON.parse(await readFile(url, 'utf8')) as Record<string, number>;
  const found = speechFunctionals(testSignal());
  t.deepEqual([...found.keys()], Object.keys(expected));
  for (const [name, value] of Object.entries(expected)) {
    const difference = Math.abs(found.get(name)! - value);
    // Phases are summed in another order, so the last digits of float32 samples differ.
    t.true(difference <= 1e-6 * (1 + Math.abs(value)), `${name}: ${value} ${found.get(name)}`);
  }
});

test('the pitch of a vowel is that with which it was synthesized', (t) => {
  const { pitch, strength } = describe(testSignal());
  const near = Array.from(pitch, (octaves, frame) => {
    const centre = (frame * 128 + 160) / 8_000;
    const hertz = 130 + 40 * Math.sin(2 * Math.PI * 1.5 * centre);
    return Math.abs(octaves - Math.log2(hertz)) < 0.03;
  });
  // Where the vowel is faintest, noise may shift a peak.
  t.true(near.filter(Boolean).length >= 0.95 * near.length);
  t.true(strength.every((value) => value > 0.55));
});

test('functionals do not depend on the level; silence and snippets have finite ones', (t) => {
  const signal = testSignal();
  const reference = speechFunctionals(signal);
  for (const gain of [0.1, 4]) {
    for (const [name, value] of speechFunctionals(signal.map((sample) => gain * sample))) {
      t.true(Math.abs(value - reference.get(name)!) < 0.05, `${name} at ${gain}`);
    }
  }
  for (const samples of [0, 1, 319, 640, 16_000]) {
    const values = [...speechFunctionals(new Float32Array(samples)).values()];
    t.true(values.every(Number.isFinite), `${samples} samples`);
  }
});

test('the transform equals the sum that defines it', (t) => {
  const size = 64;
  const random = createRandom(1);
  const input = Array.from({ length: size }, () => [random(), random()] as const);
  const real = Float64Array.from(input, ([re]) => re);
  const imaginary = Float64Array.from(input, ([, im]) => im);
  createTransform(size)(real, imaginary);
  for (let k = 0; k < size; k += 1) {
    let [re, im] = [0, 0];
    input.forEach(([a, b], n) => {
      const angle = (-2 * Math.PI * k * n) / size;
      re += a * Math.cos(angle) - b * Math.sin(angle);
      im += a * Math.sin(angle) + b * Math.cos(angle);
    });
    t.true(Math.abs(real[k]! - re) < 1e-9 && Math.abs(imaginary[k]! - im) < 1e-9);
  }
});
