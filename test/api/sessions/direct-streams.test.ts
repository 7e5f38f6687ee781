// Direct streams: slots at the same moment share what their session has; a second attempt of a slot
// is paid by the account, whose state decides about it.
import test, { type ExecutionContext } from 'ava';
import { openDirectStream } from '../../../api/sessions/direct-streams.ts';
import { findAccountByKey } from '../../../db/accounts.ts';
import type { Db } from '../../../db/database.ts';
import { failRequest } from '../../../db/requests.ts';
import { createSession, slotRequestId } from '../../../db/sessions.ts';
import { highestRate } from '../../../models/contract/charge-rate.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { spectraModel } from '../../../models/contract/served-models.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

const sessionId = 'session';

async function aSession(db: Db, { seconds, slots }: { seconds: number; slots: number }) {
  const { organizationId, key } = await anAccount(db, { allowanceSeconds: 60 });
  const account = (await findAccountByKey(db, key))!;
  const session = (await createSession(db, {
    ...{ organizationId, keyId: account.keyId, sessionId, token: 'token', slots },
    ...{
      maxCapacitySeconds: seconds,
      ratePerMinute: highestRate(spectraModel),
      lifetimeSeconds: 3_600,
    },
  }))!;
  const open = (slot: number) =>
    openDirectStream(db, {
      ...{ account, requestId: slotRequestId(sessionId, slot), task: 'transcription', session },
      slot: { sessionId, slot },
    });
  return { organizationId, open };
}

/** Fails a slot's first attempt, and changes the account. @returns the outcome of the second */
async function secondAttempt(
  t: ExecutionContext,
  change: (db: Db, organizationId: string) => Promise<unknown>,
): Promise<string> {
  const { db } = await testDatabase(t);
  const { organizationId, open } = await aSession(db, { seconds: 60, slots: 2 });
  const requestId = slotRequestId(sessionId, 0);
  await open(0);
  const failure = { code: 'internal_error', message: 'It broke.', param: null } as const;
  await failRequest(db, { organizationId, requestId, attempt: 1 }, failure);
  await change(db, organizationId);
  return open(0).then(
    () => 'open',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

test('streams that open at the same moment share what the session has', async (t) => {
  const { db } = await testDatabase(t);
  const { open } = await aSession(db, { seconds: 40, slots: 3 });
  // Both have read what is left before either reserves.
  const opening = await db.transaction().execute(async (other) => {
    await other.selectFrom('preparedSessions').select('slots').forUpdate().execute();
    const both = [open(0), open(1)];
    await untilBlocked(db, 2);
    return { both };
  });
  const opened = await Promise.all(opening.both);
  const seconds = opened.map(({ maxAudioSeconds }) => maxAudioSeconds);
  t.deepEqual(
    seconds.toSorted((a, b) => a - b),
    [10, 30],
  );
  await t.throwsAsync(open(2), { instanceOf: ServiceError, message: /can cover 0 more/ });
});

test('it is open where the account can pay', async (t) => {
  t.is(await secondAttempt(t, async () => {}), 'open');
});

test('an account that has nothing left is told so', async (t) => {
  const exhaust = (db: Db) =>
    db.updateTable('organizations').set({ allowanceSeconds: 30 }).execute();
  t.is(await secondAttempt(t, exhaust), 'allowance_exhausted');
});

test('an account that was suspended is told so', async (t) => {
  const suspend = (db: Db) => db.updateTable('organizations').set({ suspended: true }).execute();
  t.is(await secondAttempt(t, suspend), 'account_suspended');
});
