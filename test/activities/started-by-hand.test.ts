// An operator starts a workflow by hand with an input that lacks the ids: nobody else's request or
// session ends with it.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { failRecording } from '../../activities/fail-recording.ts';
import { createStreamActivities } from '../../activities/stream-activities.ts';
import { claimRequest } from '../../db/requests.ts';
import { createSession } from '../../db/sessions.ts';
import { reserve } from '../../db/settlement.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

test('steps without ids fail, and change nothing', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 600 });
  const ref = { organizationId, requestId: 'open', attempt: 1 };
  await claimRequest(db, {
    ...{ ...ref, keyId, task: 'transcription', model: 'svc-resonance' },
    ...{ fingerprint: 'f', ratePerMinute: 8_000, uploadKey: 'uploads/1' },
  });
  await reserve(db, ref, 60);
  const sessionId = '00000000-0000-4000-8000-000000000000';
  await createSession(db, {
    ...{ organizationId, keyId, sessionId, token: 'token', slots: 1, maxCapacitySeconds: 60 },
    ...{ ratePerMinute: 8_000, lifetimeSeconds: 30 },
  });
  const metrics = { failed: () => {} };
  const dependencies = { db, objects, metrics } as unknown as ActivityDependencies;
  const { closeSession, endStream } = createStreamActivities(dependencies);
  const recording = { upload: { key: 'uploads/1', container: 'wav', bytes: 1 } };
  const failure = { code: 'internal_error', message: 'm', param: null };
  for (const step of [
    () => endStream({} as never),
    () => closeSession({} as never),
    () => closeSession({ organizationId } as never),
    () => failRecording(dependencies, { recording, ...failure } as never),
    () => failRecording(dependencies, { recording, ...failure, code: 'rate_limited' } as never),
  ]) {
    await t.throwsAsync(new MockActivityEnvironment().run(step), undefined, String(step));
  }
  const requests = await db.selectFrom('requests').select('state').execute();
  t.deepEqual(requests, [{ state: 'running' }]);
  const sessions = await db.selectFrom('preparedSessions').select('closedAt').execute();
  t.deepEqual(sessions, [{ closedAt: null }]);
});
