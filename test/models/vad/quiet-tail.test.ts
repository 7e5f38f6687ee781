// In the silence behind a recording speech ends, and none begins.
import test from 'ava';
import { withQuietTail } from '../../../models/vad/quiet-tail.ts';

test('what is heard in the silence behind never rises', (t) => {
  t.deepEqual(withQuietTail([0.1, 0.8, 0.9, 0.5, 0.7, 0.2], 2), [0.1, 0.8, 0.8, 0.5, 0.5, 0.2]);
  t.deepEqual(withQuietTail([0.1, 0.9], 2), [0.1, 0.9]);
  t.deepEqual(withQuietTail([], 0), []);
});
