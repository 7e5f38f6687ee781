// Notifications of completions: sent with the commit, also after the connection was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { sql } from 'kysely';
import { listenForCompletions } from '../../db/completions.ts';
import { claimRequest } from '../../db/requests.ts';
import { settle } from '../../db/settlement.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('a commit notifies, a rollback does not, and a lost connection is restored', async (t) => {
  const { db, url } = await testDatabase(t);
  const completions = listenForCompletions(url);
  t.teardown(() => completions.close());
  const { organizationId, keyId } = await anAccount(db);
  const settled = async (requestId: string): Promise<Promise<boolean>> => {
    const upload = {
      fingerprint: 'f',
      task: 't',
      model: 'm',
      ratePerMinute: 0,
      uploadKey: requestId,
    };
    await claimRequest(db, { organizationId, requestId, keyId, ...upload });
    const ref = { organizationId, requestId, attempt: 1 };
    const { completed } = completions.next(ref);
    const late = sleep(3_000, false, { ref: false });
    const notified = Promise.race([completed.then(() => true), late]);
    await settle(db, ref, 1);
    return notified;
  };
  await sleep(500);
  t.true(await settled('first'));

  const other = { organizationId, requestId: 'rolled-back', attempt: 1 };
  const { completed, stop } = completions.next(other);
  await t.throwsAsync(settle(db, other, 1));
  t.false(await Promise.race([completed.then(() => true), sleep(300, false)]));
  stop();

  const lost = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'svc-completions' AND datname = current_database()`;
  await lost.execute(db);
  await sleep(1_800);
  t.true(await settled('second'));
});
