// Retries: transient errors are repeated, others and late ones are thrown.
import test from 'ava';
import { retryWithin } from '../../../models/concurrency/retry-within.ts';

/** Fails with the errors in order, and then returns the number of calls. */
function failing(...errors: readonly Error[]) {
  let calls = 0;
  return async (): Promise<number> => {
    const error = errors[calls];
    calls += 1;
    if (error) throw error;
    return calls;
  };
}

const lost = new Error('lost');
const invalid = new Error('invalid');

test('transient errors are repeated, with the delay of each attempt', async (t) => {
  const attempts: number[] = [];
  const delayMs = (attempt: number): number => {
    attempts.push(attempt);
    return 0;
  };
  t.is(await retryWithin({ timeoutMs: 60_000, delayMs }, failing(lost, lost)), 3);
  t.deepEqual(attempts, [1, 2]);
});

test('an error that is not transient is thrown at once', async (t) => {
  const options = {
    timeoutMs: 60_000,
    delayMs: () => 0,
    isTransient: (error: unknown) => error === lost,
  };
  t.is(await t.throwsAsync(retryWithin(options, failing(lost, invalid))), invalid);
});

test('the last error is thrown when the next attempt would be too late', async (t) => {
  const options = { timeoutMs: 1_000, delayMs: () => 2_000 };
  t.is(await t.throwsAsync(retryWithin(options, failing(lost))), lost);
});
