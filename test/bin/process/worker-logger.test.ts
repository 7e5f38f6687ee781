// The levels of a worker's lines.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { levelOf } from '../../../bin/process/worker-logger.ts';

test('an activity that waits for a place is no warning, one that fails is', (t) => {
  const waits = ApplicationFailure.create({ type: 'no_place' });
  const fails = ApplicationFailure.create({ type: 'internal_error' });
  t.is(levelOf('WARN', 'Activity failed', { error: waits }), 'debug');
  t.is(levelOf('WARN', 'Activity failed', { error: fails }), 'warn');
  t.is(levelOf('ERROR', 'Worker failed', undefined), 'error');
});

test('a long task is a warning, but for one that opens a recording within it', (t) => {
  const long = '[TMPRL1104] run:4:1 Workflow task duration exceeded 5 seconds.';
  t.is(levelOf('WARN', long, { workflowType: 'analyzeRecording' }), 'debug');
  t.is(levelOf('WARN', long, { workflowType: 'runBatch' }), 'warn');
  t.is(levelOf('WARN', 'Activity failed', { workflowType: 'analyzeRecording' }), 'warn');
});
