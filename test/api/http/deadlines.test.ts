// The time of an upload: the caller's slowness counts, the service's own does not.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { watchUpload } from '../../../api/http/deadlines.ts';
import type { ServiceError } from '../../../models/contract/errors.ts';
import { until } from '../../support/until.ts';

const deadlines = { idleMs: 200, totalMs: 60_000, minBytesPerSecond: 1, graceMs: 60_000 };

test('a sender that stalls is too slow, unless the service itself reads nothing', async (t) => {
  const errors: ServiceError[] = [];
  const clock = watchUpload(deadlines, (error) => errors.push(error));
  const goOn = clock.pause();
  await sleep(5 * deadlines.idleMs);
  t.deepEqual(errors, []);
  goOn();
  await until(() => errors.length > 0);
  t.is(errors[0]!.code, 'upload_timeout');
  clock.stop();
});
