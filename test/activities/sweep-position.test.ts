// A pass of the sweeper goes on where the last one ended.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { claimRequest } from '../../db/requests.ts';
import { writePosition } from '../../db/sweep-positions.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

test('a pass goes on behind the requests that the last one has seen', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  for (const requestId of ['a', 'b/1', 'b/2', 'c']) {
    await claimRequest(db, {
      ...{ organizationId, keyId, requestId, fingerprint: 'f', task: 't', model: 'm' },
      ...{ ratePerMinute: 0, uploadKey: '' },
    });
  }
  await sql`UPDATE requests SET updated_at = now() - interval '1 hour'`.execute(db);
  await writePosition(db, 'stale requests', `${organizationId}/b/1`);
  const metrics = { failed: () => {} };
  const workflowState = async () => 'absent';
  const parts = { db, objects: noObjects, workflowState, metrics };
  const dependencies = parts as unknown as ActivityDependencies;
  const failed = async (): Promise<readonly string[]> => {
    const found = db.selectFrom('requests').select('requestId').where('state', '=', 'failed');
    return (await found.orderBy('requestId').execute()).map(({ requestId }) => requestId);
  };
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  t.deepEqual(await failed(), ['b/2', 'c']);
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  t.deepEqual(await failed(), ['a', 'b/1', 'b/2', 'c']);
});
