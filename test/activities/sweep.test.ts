// What a crash left behind is finished or deleted, and work in progress is not touched.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import { sweep } from '../../activities/sweep.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { registerObject } from '../../db/objects.ts';
import { idHash } from '../../db/object-keys.ts';
import { claimRequest } from '../../db/requests.ts';
import { balanceOf } from '../../db/balance.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

test('abandoned requests fail, running ones continue, orphaned objects go', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const claim = async (requestId: string): Promise<string> => {
    const uploadKey = `uploads/${requestId}`;
    const common = {
      organizationId,
      keyId,
      fingerprint: 'f',
      task: 't',
      model: 'm',
      ratePerMinute: 0,
    };
    await claimRequest(db, { ...common, requestId, uploadKey });
    await registerObject(db, { key: uploadKey, organizationId, kind: 'upload' });
    await objects.putBytes(uploadKey, requestId);
    return uploadKey;
  };
  const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  await claim('abandoned');
  await reserve(db, ref('abandoned'), 10);
  const running = await claim('running');
  await claim('answered');
  await reserve(db, ref('answered'), 10);
  await settle(db, ref('answered'), 10);
  await registerObject(db, { key: 'work/old/', organizationId, kind: 'work' });
  await objects.putBytes('work/old/pcm', 'pcm');
  await sql`UPDATE requests SET updated_at = now() - interval '1 hour'`.execute(db);
  await sql`UPDATE objects SET created_at = now()
    - CASE kind WHEN 'work' THEN interval '1 day' ELSE interval '1 hour' END`.execute(db);

  const alive = requestWorkflowId(organizationId, idHash('running'));
  const workflowState = async (id: string) => (id === alive ? 'running' : 'absent');
  // The sweep uses no other part of a worker.
  const failures: object[] = [];
  const metrics = { failed: (failure: object) => void failures.push(failure) };
  const dependencies = { db, objects, workflowState, metrics } as unknown as ActivityDependencies;
  const environment = new MockActivityEnvironment();
  await environment.run(() => sweep(dependencies));

  const rows = await db.selectFrom('requests').select(['requestId', 'state']).execute();
  const states = Object.fromEntries(rows.map((row) => [row.requestId, row.state]));
  t.deepEqual(states, { abandoned: 'failed', running: 'admitted', answered: 'completed' });
  t.deepEqual(failures, [{ code: 'internal_error', bulk: false }]);
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 3_600 - 10);
  t.deepEqual(await objects.list('work/'), []);
  // The upload of the abandoned request is deleted a quarter of an hour after the request ended.
  t.deepEqual(await objects.list('uploads/'), ['uploads/abandoned', running]);
});
