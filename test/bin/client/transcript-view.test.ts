// The transcript that a newcomer sees: readable times, and the real-time factor.
import test from 'ava';
import { clock, transcriptLines } from '../../../bin/client/transcript-view.ts';

for (const [seconds, text] of [
  [0, '0:00.0'],
  [59.94, '0:59.9'],
  [59.96, '1:00.0'],
  [3599.96, '1:00:00.0'],
  [3725.4, '1:02:05.4'],
] as const) {
  test(`${seconds} s is shown as ${text}`, (t) => {
    t.is(clock(seconds), text);
  });
}

test('a transcript has one line per segment and ends with the real-time factor', (t) => {
  const body = { duration: 10, segments: [{ start: 1.5, end: 3, text: 'Hello.' }] };
  t.deepEqual(transcriptLines(body, 0.5), [
    '0:01.5  Hello.',
    '10.0 s of audio in 0.50 s (real-time factor 0.050)',
  ]);
});
