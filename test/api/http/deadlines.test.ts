// The time of an upload: the caller's slowness counts, the service's own does not.
import { mock } from 'node:test';
import test from 'ava';
import { watchUpload } from '../../../api/http/deadlines.ts';
import type { ServiceError } from '../../../models/contract/errors.ts';

const deadlines = { idleMs: 200, totalMs: 60_000, minBytesPerSecond: 1, graceMs: 60_000 };

test('a sender that stalls is too slow, unless the service itself reads nothing', (t) => {
  let nowMs = 0;
  mock.method(performance, 'now', () => nowMs);
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const pass = (ms: number): void => {
    nowMs += ms;
    mock.timers.tick(ms);
  };
  const errors: ServiceError[] = [];
  const clock = watchUpload(deadlines, (error) => errors.push(error));
  const goOn = clock.pause();
  pass(5 * deadlines.idleMs);
  goOn();
  pass(deadlines.idleMs);
  t.deepEqual(errors, []);
  pass(deadlines.idleMs);
  t.deepEqual(
    errors.map(({ code }) => code),
    ['upload_timeout'],
  );
  clock.stop();
});
