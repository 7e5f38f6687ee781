// How streams end whose worker is gone.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createWorkerMetrics } from '../../activities/metrics.ts';
import { createStreamActivities } from '../../activities/stream-activities.ts';
import { claimStream } from '../../api/runs/claim-stream.ts';
import { createRegistry } from '../../bin/process/probes.ts';
import { balanceOf } from '../../db/balance.ts';
import { RequestNotRunning, reserve, settle } from '../../db/settlement.ts';
import type { StreamInput } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('a lost stream is released, its worker cannot charge it, and its id runs again', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 600 });
  const left = async (): Promise<number> => (await balanceOf(db, organizationId)).remainingSeconds;
  const claim = () =>
    claimStream(db, {
      ...{ organizationId, keyId, requestId: 'lost', task: 'transcription' },
      ...{ model: 'svc-svceet', ratePerMinute: 450 },
    });
  const registry = createRegistry('batch-worker');
  const metrics = createWorkerMetrics(registry);
  const { endStream } = createStreamActivities({ db, metrics });
  const end = (attempt: number) =>
    new MockActivityEnvironment().run(() => endStream(ref(attempt) as StreamInput));
  const ref = (attempt: number) => ({ organizationId, requestId: 'lost', attempt });

  t.deepEqual(await claim(), { kind: 'admitted', attempt: 1 });
  await reserve(db, ref(1), 60);
  t.true(await end(1));
  t.is(await left(), 600);
  await t.throwsAsync(settle(db, ref(1), 9), { instanceOf: RequestNotRunning });

  t.deepEqual(await claim(), { kind: 'admitted', attempt: 2 });
  await reserve(db, ref(2), 60);
  await t.throwsAsync(settle(db, ref(1), 9), { instanceOf: RequestNotRunning });
  await settle(db, ref(2), 9);
  t.false(await end(1), 'a late end of the first attempt changes nothing');
  t.false(await end(2), 'nor does one of what is charged');
  t.deepEqual(await claim(), { kind: 'rejected', code: 'request_already_completed' });
  t.is(await left(), 591);
  const counted = 'svc_failures_total{code="internal_error",fault="service",lane="callers"';
  const lines = (await registry.metrics()).split('\n');
  t.regex(
    lines.find((line) => line.startsWith(counted))!,
    / 1$/,
    'once, when it was lost',
  );
});
