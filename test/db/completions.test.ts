// Notifications of completions: sent with the commit, also after the connection was lost.
import test from 'ava';
import { sql } from 'kysely';
import { listenForCompletions } from '../../db/completions.ts';
import { claimRequest } from '../../db/requests.ts';
import { settle } from '../../db/settlement.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

test('a commit notifies, a rollback does not, and a lost connection is restored', async (t) => {
  const { db, url } = await testDatabase(t);
  const completions = listenForCompletions(url);
  t.teardown(() => completions.close());
  const { organizationId, keyId } = await anAccount(db);
  const settled = async (requestId: string): Promise<void> => {
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
    await settle(db, ref, 1);
    await completed;
  };
  /** The process of PostgreSQL that serves the listening connection. */
  const listener = async (): Promise<number | undefined> => {
    const found = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'svc-completions' AND datname = current_database()
        AND query LIKE 'LISTEN%' AND state = 'idle'`.execute(db);
    return found.rows[0]?.pid;
  };
  const first = await until(listener);
  await settled('first');

  const other = { organizationId, requestId: 'rolled-back', attempt: 1 };
  const { completed, stop } = completions.next(other);
  let notified = false;
  void completed.then(() => (notified = true));
  await t.throwsAsync(settle(db, other, 1));
  // Notifications arrive in the order of their commits.
  await settled('next');
  t.false(notified);
  stop();

  await sql`SELECT pg_terminate_backend(${first})`.execute(db);
  await until(listener, (pid) => pid !== undefined && pid !== first);
  await settled('second');
});
