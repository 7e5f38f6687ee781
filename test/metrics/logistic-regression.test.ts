// Weights that are known, from labels drawn by them.
import test from 'ava';
import { sigmoid } from '../../models/asr/sigmoid.ts';
import { createRandom } from '../support/random.ts';
import { areaUnderCurve, fitLogistic } from './logistic-regression.ts';

test('the weights that drew the labels are found', (t) => {
  const random = createRandom(7);
  const rows = Array.from({ length: 20_000 }, () => {
    const values = [4 * random() - 2, 4 * random() - 2];
    return { values, label: random() < sigmoid(1.5 * values[0]! - 0.5 * values[1]!) };
  });
  const [first, second, offset] = fitLogistic(rows);
  t.true(Math.abs(first! - 1.5) < 0.08, `${first}`);
  t.true(Math.abs(second! + 0.5) < 0.08, `${second}`);
  t.true(Math.abs(offset!) < 0.08, `${offset}`);
});

test('the area counts a tie as half', (t) => {
  t.is(areaUnderCurve([2, 3], [1]), 1);
  t.is(areaUnderCurve([1], [1]), 0.5);
  t.is(areaUnderCurve([0, 2], [1]), 0.5);
});
