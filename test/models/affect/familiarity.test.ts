// How far functionals are from the speech that a head was trained on.
import test from 'ava';
import { affectOf } from '../../../models/affect/affect-model.ts';
import { familiarShare } from '../../../models/affect/familiarity.ts';

/** Two functionals, of which the first varies more, and a third that hardly varies. */
const familiar = {
  centre: [1, 0, 0],
  directions: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  variances: [4, 1],
  rest: 0.25,
  limit: 2,
};

test('the middle of the training speech is familiar, and what is as far as its edge', (t) => {
  t.is(familiarShare([1, 0, 0], familiar), 1);
  // The distance is 2 where the sum of squares in deviations is 12.
  t.is(familiarShare([1 + 2 * Math.sqrt(12) - 1e-9, 0, 0], familiar), 1);
});

test('beyond it the share falls by the third power of the distance', (t) => {
  const share = familiarShare([1, 2 * Math.sqrt(12), 0], familiar);
  t.true(Math.abs(share - 1 / 8) < 1e-12);
});

test('what is outside of the directions counts by one variance', (t) => {
  const share = familiarShare([1, 0, Math.sqrt(12)], familiar);
  t.true(Math.abs(share - 1 / 8) < 1e-12);
});

test('the heads know what they were trained on, and not what is three deviations off', (t) => {
  for (const model of ['svc-resonance', 'svc-fourier'] as const) {
    const { familiar: own, mean } = affectOf(model)!.weights;
    t.is(own.centre.length, mean.length);
    t.is(familiarShare(own.centre, own), 1);
    const far = own.centre.map((value, i) => value + (i % 2 === 0 ? 3 : -3));
    t.true(familiarShare(far, own) < 0.1);
  }
});
