// An attempt whose caller cannot be answered: it ends uncharged, or was charged before.
import type { WorkflowHandle } from '@temporalio/client';
import test from 'ava';
import { endUnanswered, PlannedStop } from '../../../api/runs/planned-stop.ts';
import { WorkInHand } from '../../../api/runs/work-in-hand.ts';
import type { Db } from '../../../db/database.ts';
import { claimRequest, requestState } from '../../../db/requests.ts';
import { RequestNotRunning, reserve, settle } from '../../../db/settlement.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

const handle = {} as WorkflowHandle;

/** An attempt that holds two seconds. */
async function running(db: Db) {
  const { organizationId, keyId } = await anAccount(db);
  const [requestId, uploadKey] = ['a', 'uploads/a'];
  await claimRequest(db, {
    ...{ organizationId, requestId, keyId, uploadKey, fingerprint: 'f' },
    ...{ task: 'transcription', model: 'svc-resonance', ratePerMinute: 8_000 },
  });
  const ref = { organizationId, requestId, attempt: 1, uploadKey };
  await reserve(db, ref, 2);
  const terminated: WorkflowHandle[] = [];
  const workflows = { terminate: async (one: WorkflowHandle) => void terminated.push(one) };
  return {
    ref,
    terminated,
    end: (through = db) => endUnanswered({ db: through, workflows, ref, handle }),
  };
}

const kinds = async (db: Db): Promise<readonly string[]> => {
  const rows = await db.selectFrom('ledger').select('kind').orderBy('id').execute();
  return rows.map(({ kind }) => kind);
};

test('an attempt in progress ends with what it holds, and cannot be charged', async (t) => {
  const { db } = await testDatabase(t);
  const { ref, terminated, end } = await running(db);
  await t.throwsAsync(end(), { instanceOf: PlannedStop });
  t.deepEqual(terminated, [handle]);
  t.is(await requestState(db, ref), 'failed');
  await t.throwsAsync(settle(db, ref, 2), { instanceOf: RequestNotRunning });
  t.deepEqual(await kinds(db), ['reserve', 'release']);
});

test('an attempt that was charged just before is answered', async (t) => {
  const { db } = await testDatabase(t);
  const { ref, terminated, end } = await running(db);
  await settle(db, ref, 2);
  await t.notThrowsAsync(end());
  t.deepEqual(terminated, []);
  t.is(await requestState(db, ref), 'completed');
});

test('without the database it is unknown, and another id would pay once more', async (t) => {
  const { db } = await testDatabase(t);
  const { terminated, end } = await running(db);
  const lost = { transaction: () => ({ execute: () => Promise.reject(new Error('lost')) }) };
  const error = await t.throwsAsync(end(lost as unknown as Db), { instanceOf: WorkInHand });
  t.like(error, { code: 'not_ready' });
  t.deepEqual(terminated, []);
});
