// What an error says beside its body: when to try again, how to sign in, what to speak instead.
import test from 'ava';
import { headersOf } from '../../../api/http/errors.ts';
import { requireRate, tooManyOfKey } from '../../../api/http/key-limits.ts';
import { errorRules, ServiceError, type ErrorCode } from '../../../models/contract/errors.ts';

const codes = Object.keys(errorRules) as readonly ErrorCode[];

test('each code has the headers of its kind, and no others', (t) => {
  const outages: readonly ErrorCode[] = ['not_ready', 'setup_unconfirmed'];
  for (const code of codes) {
    const { status } = errorRules[code];
    const expected = {
      ...(status === 429 && { 'Retry-After': '1' }),
      ...(outages.includes(code) && { 'Retry-After': '2' }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(status === 426 && { Upgrade: 'websocket' }),
      ...(code === 'session_capacity_unavailable' && { 'X-Svc-Admission': 'not-admitted' }),
    };
    t.deepEqual(headersOf(new ServiceError(code, 'Any.')), expected, code);
  }
  const timed = new ServiceError('timeout', 'Any.', { retryAfterSeconds: 30 });
  t.deepEqual(headersOf(timed), { 'Retry-After': '30' }, 'a known time is told by any error');
});

test('the last request of a minute is taken, and the next told when the minute ends', (t) => {
  const use = (used: number) => ({ used, secondsLeft: 17 });
  t.notThrows(() => requireRate(60, use(60)));
  const error = t.throws(() => requireRate(60, use(61)), { instanceOf: ServiceError })!;
  t.deepEqual(
    [error.code, error.message, error.retryAfterSeconds],
    ['rate_limited', 'This key may send 60 requests a minute.', 17],
  );
  const busy = tooManyOfKey(4);
  t.deepEqual([busy.code, busy.retryAfterSeconds], ['rate_limited', 1]);
  t.regex(busy.message, /may have 4 requests in progress at once; send it again later\.$/);
});
