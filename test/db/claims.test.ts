// Claims of an id that was left unused have the same attempt: steps of an earlier one are late.
import test from 'ava';
import { balanceOf } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import {
  claimRequest,
  failRequest,
  requestState,
  staleRequests,
  unclaimRequest,
} from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { anAccount, testDatabase, type TestAccount } from '../support/database.ts';

/** Claims the id `r` with an upload. */
async function claim(db: Db, { organizationId, keyId }: TestAccount, uploadKey: string) {
  const claimed = await claimRequest(db, {
    ...{ organizationId, requestId: 'r', keyId, fingerprint: uploadKey, uploadKey },
    ...{ task: 'emotion', model: 'svc-resonance', ratePerMinute: 8_000 },
  });
  const attempt = claimed.kind === 'admitted' ? claimed.attempt : 0;
  return { organizationId, requestId: 'r', attempt, uploadKey };
}

test('a claim that was given up neither reserves nor settles for the next one', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 60 });
  const { organizationId } = account;
  // Its activity stalls; another worker repeats it, and is told that 600 s are too many.
  const late = await claim(db, account, 'first');
  await t.throwsAsync(reserve(db, late, 600), { name: 'AllowanceExhausted' });
  await unclaimRequest(db, late);
  const next = await claim(db, account, 'second');
  t.is(next.attempt, late.attempt);
  await t.throwsAsync(reserve(db, late, 1), { name: 'RequestNotRunning' });
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
  await reserve(db, next, 50);
  await t.throwsAsync(settle(db, late, 1), { name: 'RequestNotRunning' });
  t.is(await requestState(db, next), 'running');
  await settle(db, next, 50);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 50);
});

test('what the sweeper has read of a claim does not end the next one', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const first = await claim(db, account, 'first');
  const [stale] = await staleRequests(db, { olderThanSeconds: -60, after: '' });
  await unclaimRequest(db, first);
  const next = await claim(db, account, 'second');
  const failure = { code: 'internal_error', message: 'A server error.', param: null };
  t.false(await failRequest(db, stale!, failure));
  t.is(await requestState(db, next), 'admitted');
});
