// The consequences of a failed step for its request.
import {
  ActivityFailure,
  ApplicationFailure,
  TimeoutFailure,
  type RetryState,
  type TimeoutType,
} from '@temporalio/common';
import test from 'ava';
import { describeFailure } from '../../workflows/failure.ts';

function failed(type: string, retryState: RetryState): ActivityFailure {
  const cause = ApplicationFailure.create({ type, message: 'told' });
  return new ActivityFailure('failed', 'openRecording', '1', retryState, undefined, cause);
}

test('a step that is cancelled before its retry is cancelled', (t) => {
  t.true(describeFailure(failed('no_place', 'CANCEL_REQUESTED')).cancelled);
});

test('a step whose time is over within a workflow task is not cancelled, a lost one is', (t) => {
  const described = (type: TimeoutType) => {
    const cause = new TimeoutFailure('late', null, type);
    const state = 'CANCEL_REQUESTED';
    return describeFailure(new ActivityFailure('', 'openRecording', '1', state, undefined, cause));
  };
  t.is(described('SCHEDULE_TO_CLOSE').cancelled, undefined);
  t.true(described('HEARTBEAT').cancelled);
});

test('a step that would not have been retried says why', (t) => {
  const described = describeFailure(failed('audio_too_long', 'NON_RETRYABLE_FAILURE'));
  t.like(described, { code: 'audio_too_long', message: 'told' });
  t.is(described.cancelled, undefined);
});

test('what a step has named is told with its field; all else is an error of the service', (t) => {
  const state = 'NON_RETRYABLE_FAILURE';
  const after = (cause?: Error) =>
    describeFailure(new ActivityFailure('', 'openRecording', '1', state, undefined, cause));
  const told = { type: 'audio_too_long', message: 'told' };
  const named = ApplicationFailure.create({ ...told, details: [{ param: 'file' }] });
  const expected = { code: 'audio_too_long', message: 'told', param: 'file' };
  t.deepEqual(after(named), expected);
  t.deepEqual(describeFailure(named), expected, 'of the workflow itself');
  for (const details of [undefined, [], [{}], [{ param: null }], [undefined]]) {
    const plain = ApplicationFailure.create({ ...told, ...(details && { details }) });
    t.deepEqual(after(plain), { ...expected, param: null });
  }
  const unnamed = ApplicationFailure.create({ message: 'a stack, a path' });
  const late = new TimeoutFailure('late', null, 'HEARTBEAT');
  for (const cause of [undefined, unnamed, late, new Error('a stack, a path')]) {
    const { message, ...described } = after(cause);
    t.deepEqual(described, { code: 'internal_error', param: null });
    t.is(message, 'The analysis could not be finished; the request may be sent again.');
  }
  t.is(describeFailure(unnamed).code, 'internal_error');
});
