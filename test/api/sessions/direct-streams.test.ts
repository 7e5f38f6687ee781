// A second attempt of a slot is paid by the account, whose state decides about it.
import test, { type ExecutionContext } from 'ava';
import { openDirectStream } from '../../../api/sessions/direct-streams.ts';
import { findAccountByKey } from '../../../db/api-keys.ts';
import type { Db } from '../../../db/database.ts';
import { failRequest } from '../../../db/requests.ts';
import { createSession, slotRequestId } from '../../../db/sessions.ts';
import { highestRate } from '../../../models/contract/charge-rate.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { spectraModel } from '../../../models/contract/served-models.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

/** Fails a slot's first attempt, and changes the account. @returns the outcome of the second */
async function secondAttempt(
  t: ExecutionContext,
  change: (db: Db, organizationId: string) => Promise<unknown>,
): Promise<string> {
  const { db } = await testDatabase(t);
  const { organizationId, key } = await anAccount(db, { allowanceSeconds: 60 });
  const account = (await findAccountByKey(db, key))!;
  const sessionId = 'session';
  const session = (await createSession(db, {
    ...{ organizationId, keyId: account.keyId, sessionId, token: 'token', slots: 2 },
    ...{ maxCapacitySeconds: 60, ratePerMinute: highestRate(spectraModel), lifetimeSeconds: 3_600 },
  }))!;
  const requestId = slotRequestId(sessionId, 0);
  const open = () =>
    openDirectStream(db, {
      ...{ account, requestId, task: 'transcription', session, slot: { sessionId, slot: 0 } },
    });
  await open();
  const failure = { code: 'internal_error', message: 'It broke.', param: null } as const;
  await failRequest(db, { organizationId, requestId, attempt: 1 }, failure);
  await change(db, organizationId);
  return open().then(
    () => 'open',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

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
