// The levels of a worker's lines.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { levelOf } from '../../../bin/process/worker-logger.ts';

test('an activity that waits for a place is no warning, one that fails is', (t) => {
  const waits = ApplicationFailure.create({ type: 'no_place' });
  const fails = ApplicationFailure.create({ type: 'internal_error' });
  t.is(levelOf('WARN', { error: waits }), 'debug');
  t.is(levelOf('WARN', { error: fails }), 'warn');
  t.is(levelOf('ERROR', undefined), 'error');
});
