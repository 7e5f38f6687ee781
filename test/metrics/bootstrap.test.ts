// Intervals contain the true value, and paired differences are resampled as pairs.
import test from 'ava';
import { bootstrapInterval } from './bootstrap.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('the interval of a mean is about two standard errors to each side', (t) => {
  const values = Array.from({ length: 400 }, (_, i) => i % 2);
  const { low, high } = bootstrapInterval(values, mean);
  t.true(low < 0.5 && high > 0.5);
  t.true(Math.abs(high - low - 4 * 0.025) < 0.02, `${low} to ${high}`);
});

test('a system that is slightly worse in every pair is significantly worse', (t) => {
  const pairs = Array.from({ length: 50 }, (_, i) => [i, i + 1] as const);
  const { low } = bootstrapInterval(pairs, (all) => mean(all.map(([a, b]) => b - a)));
  t.is(low, 1);
});
