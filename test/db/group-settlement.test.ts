// Clips of a batch are reserved and settled together: what one of them lacks does not stop the
// others.
import test, { type ExecutionContext } from 'ava';
import { AccountSuspended } from '../../db/account-status.ts';
import { AllowanceExhausted, balanceOf } from '../../db/balance.ts';
import { isDebited } from '../../db/ledger.ts';
import { setSuspended } from '../../db/organizations.ts';
import { claimRequest, failRequest, requestState } from '../../db/requests.ts';
import {
  RequestNotRunning,
  reserveAll,
  settleAll,
  type GroupOutcome,
} from '../../db/settlement.ts';
import type { LedgerGroup } from '../../db/ledger-group.ts';
import { anAccount, testDatabase } from '../support/database.ts';

interface Asked {
  readonly requestId: string;
  readonly seconds: number;
}

/** Admits requests of an organization with so many seconds left, in a database of its own. */
async function admitted(t: ExecutionContext, allowanceSeconds: number, asked: readonly Asked[]) {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds });
  const rest = { fingerprint: 'f', task: 'affect', model: 'svc-resonance-2', uploadKey: 'u' };
  for (const { requestId } of asked) {
    await claimRequest(db, { organizationId, keyId, requestId, ratePerMinute: 6_000, ...rest });
  }
  const attempts = asked.map((each) => ({ ...each, attempt: 1 }));
  const group: LedgerGroup = { organizationId, attempts };
  return { db, organizationId, group };
}

const kinds = (outcome: GroupOutcome) => outcome.map((each) => each?.name ?? null);

test('a group is reserved and debited as each of it alone, and only once', async (t) => {
  const { db, organizationId, group } = await admitted(t, 100, [
    { requestId: 'a', seconds: 10 },
    { requestId: 'b', seconds: 0 },
    { requestId: 'c', seconds: 20 },
  ]);
  t.deepEqual(kinds(await reserveAll(db, group)), [null, null, null]);
  t.deepEqual(kinds(await reserveAll(db, group)), [null, null, null], 'repeated');
  t.is((await balanceOf(db, organizationId)).usedSeconds, 30);
  const shorter = group.attempts.map((each) => ({ ...each, seconds: Math.ceil(each.seconds / 2) }));
  for (const _ of ['once', 'repeated']) {
    const settled = await settleAll(db, { organizationId, attempts: shorter });
    t.deepEqual(kinds(settled), [null, null, null]);
    t.is((await balanceOf(db, organizationId)).usedSeconds, 15);
  }
  t.is(await requestState(db, { organizationId, requestId: 'b', attempt: 1 }), 'completed');
  t.false(await isDebited(db, { organizationId, requestId: 'b' }), 'nothing is no debit');
  const rows = await db
    .selectFrom('ledger')
    .select(['requestId', 'kind', 'seconds', 'microusd'])
    .where('organizationId', '=', organizationId)
    .orderBy('requestId')
    .orderBy('id')
    .execute();
  t.deepEqual(
    rows.map(({ requestId, kind, seconds, microusd }) => [requestId, kind, seconds, microusd]),
    [
      ['a', 'reserve', 10, 1_000],
      ['a', 'release', 10, 1_000],
      ['a', 'debit', 5, 500],
      ['c', 'reserve', 20, 2_000],
      ['c', 'release', 20, 2_000],
      ['c', 'debit', 10, 1_000],
    ],
  );
});

test('what is left goes to the first that it is enough for', async (t) => {
  const { db, organizationId, group } = await admitted(t, 25, [
    { requestId: 'a', seconds: 20 },
    { requestId: 'b', seconds: 10 },
    { requestId: 'c', seconds: 5 },
  ]);
  const outcome = await reserveAll(db, group);
  t.deepEqual(kinds(outcome), [null, AllowanceExhausted.name, null]);
  t.regex(outcome[1]!.message, /needs 10 seconds of plan minutes, but 5 are left/);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 25);
});

test('one that has ended, or another attempt of it, is not charged with the others', async (t) => {
  const { db, organizationId, group } = await admitted(t, 100, [
    { requestId: 'a', seconds: 10 },
    { requestId: 'b', seconds: 10 },
    { requestId: 'c', seconds: 10 },
  ]);
  await reserveAll(db, group);
  const ended = { organizationId, requestId: 'b', attempt: 1 };
  await failRequest(db, ended, { code: 'audio_undecodable', message: '', param: null });
  const attempts = group.attempts.map((each) =>
    each.requestId === 'c' ? { ...each, attempt: 2 } : each,
  );
  const settled = await settleAll(db, { organizationId, attempts });
  t.deepEqual(kinds(settled), [null, RequestNotRunning.name, RequestNotRunning.name]);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 20, 'a is debited, c still reserved');
  t.is(await requestState(db, ended), 'failed');
});

test('nothing of a suspended organization is reserved', async (t) => {
  const { db, organizationId, group } = await admitted(t, 100, [
    { requestId: 'a', seconds: 10 },
    { requestId: 'b', seconds: 10 },
  ]);
  await setSuspended(db, { organizationId, actor: 'test', suspended: true });
  const suspended = [AccountSuspended.name, AccountSuspended.name];
  t.deepEqual(kinds(await reserveAll(db, group)), suspended);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
});
