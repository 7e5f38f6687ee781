// The ages at which the sweeper takes something for abandoned, on both sides.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { registerObject } from '../../db/object-rows.ts';
import { claimRequest } from '../../db/requests.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

test('a request waits a minute for its workflow, an upload four hours for a request', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const rest = { organizationId, keyId, fingerprint: 'f', task: 't', model: 'm', ratePerMinute: 0 };
  for (const requestId of ['30 seconds', '90 seconds']) {
    await claimRequest(db, { ...rest, requestId, uploadKey: '' });
  }
  await sql`UPDATE requests SET updated_at = now() - request_id::interval`.execute(db);
  for (const key of ['239 minutes', '241 minutes']) {
    await registerObject(db, { key, organizationId, kind: 'upload' });
  }
  await sql`UPDATE objects SET created_at = now() - key::interval`.execute(db);
  const deleted: string[] = [];
  const dependencies = {
    ...{ db, workflowState: async () => 'absent', metrics: { failed: () => {} } },
    objects: {
      ...noObjects,
      delete: async (keys: readonly string[]) => void deleted.push(...keys),
    },
  } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  const requests = db.selectFrom('requests').select(['requestId', 'state']).orderBy('requestId');
  t.deepEqual(await requests.execute(), [
    { requestId: '30 seconds', state: 'admitted' },
    { requestId: '90 seconds', state: 'failed' },
  ]);
  t.deepEqual(deleted, ['241 minutes']);
});
