// The time of an upload: the caller's slowness counts, the service's own does not.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { watchUpload } from '../../../api/http/deadlines.ts';
import type { ServiceError } from '../../../models/contract/errors.ts';

const deadlines = { idleMs: 200, totalMs: 60_000, minBytesPerSecond: 1, graceMs: 60_000 };

test('a sender that stalls is too slow, unless the service itself reads nothing', async (t) => {
  const told: ServiceError[] = [];
  const clock = watchUpload(deadlines, (error) => told.push(error));
  const goOn = clock.pause();
  await sleep(5 * deadlines.idleMs);
  t.deepEqual(told, []);
  goOn();
  while (told.length === 0) await sleep(10);
  t.is(told[0]!.code, 'upload_timeout');
  clock.stop();
});
