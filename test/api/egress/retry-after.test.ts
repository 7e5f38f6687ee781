// Retry-After of other servers: seconds or a date, and nothing that only looks like one.
import test from 'ava';
import { retryAfterSeconds } from '../../../api/egress/retry-after.ts';

const nowMs = Date.parse('Mon, 30 Nov 2026 12:00:00 GMT');

test('seconds and dates are read, what is over is 0', (t) => {
  const read = (header?: string) => retryAfterSeconds(header, nowMs);
  t.is(read('120'), 120);
  t.is(read('0'), 0);
  t.is(read('Mon, 30 Nov 2026 12:01:30 GMT'), 90);
  t.is(read('Mon, 30 Nov 2026 11:00:00 GMT'), 0);
});

test('anything else is as if there were none', (t) => {
  for (const header of [
    undefined,
    '',
    'soon',
    '-5',
    '1.5',
    '2026-12-01',
    '9'.repeat(12),
    'x GMT',
  ]) {
    t.is(retryAfterSeconds(header, nowMs), null, header);
  }
});
