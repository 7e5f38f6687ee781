// The time of each test file.
import test from 'ava';
import { createFileTimes } from './slowest.ts';

test("a file's time is that between its results, the longest first", (t) => {
  const times = createFileTimes(1_000);
  times.add('api › limits › too many', 1_500);
  times.add('models › vad › silence', 4_500);
  times.add('api › limits › too large', 5_000);
  t.deepEqual(times.slowest(), ['   3.0 s  models › vad', '   1.0 s  api › limits']);
});
