// PostgreSQL's clock is set back, by a step or by a standby that is behind: rows written before lie
// in the future, and what follows on them is older than they are.
import test from 'ava';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { decodeStatus, failedDecodeBudget } from '../../db/decodes.ts';
import { createKeyLeases } from '../../db/key-leases.ts';
import { claimRequest, unclaimRequest } from '../../db/requests.ts';
import { pruneRows } from '../../db/retention.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { usageReport } from '../../db/usage-report.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const labels = { task: 'affect', model: 'svc-resonance-2' } as const;

/** A request that was charged after the clock was set back by two seconds. */
async function charged(db: Db) {
  const { organizationId, keyId } = await anAccount(db);
  const claim = () =>
    claimRequest(db, {
      ...{ ...labels, organizationId, requestId: 'r', keyId, fingerprint: 'f' },
      ...{ ratePerMinute: 60_000, uploadKey: 'u', repeats: 'run-again' },
    });
  await claim();
  await sql`UPDATE requests SET created_at = created_at + interval '2 seconds'`.execute(db);
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  await reserve(db, ref, 60);
  await settle(db, ref, 60);
  const usage = async () => {
    const rows = await usageReport(db, { organizationId, from: null, to: null });
    return rows.map(({ model, task, requests, seconds }) => [model, task, requests, seconds]);
  };
  return { claim, ref, usage };
}

const invoiced = [[labels.model, labels.task, 1, 60]];

test('what is charged is on the invoice, also when its row has been pruned', async (t) => {
  const { db } = await testDatabase(t);
  const { claim, ref, usage } = await charged(db);
  t.deepEqual(await usage(), invoiced);
  await sql`UPDATE requests SET updated_at = now() - interval '401 days'`.execute(db);
  await pruneRows(db);
  t.deepEqual(await db.selectFrom('requests').select('requestId').execute(), []);
  t.deepEqual(await usage(), invoiced);
  t.deepEqual(await claim(), { kind: 'admitted', attempt: 2 });
  t.deepEqual(await usage(), invoiced, 'the next row of the id has no part in it');
  await unclaimRequest(db, { ...ref, attempt: 2 });
  t.deepEqual(await db.selectFrom('requests').select('requestId').execute(), []);
});

test('a repeat that is refused leaves what was charged', async (t) => {
  const { db } = await testDatabase(t);
  const { claim, ref, usage } = await charged(db);
  t.deepEqual(await claim(), { kind: 'admitted', attempt: 2 });
  await unclaimRequest(db, { ...ref, attempt: 2 });
  const rows = await db.selectFrom('requests').select(['state', 'attempt']).execute();
  t.deepEqual(rows, [{ state: 'completed', attempt: 1 }]);
  t.deepEqual(await usage(), invoiced);
});

test('a process that is gone holds no place of a key', async (t) => {
  const { db } = await testDatabase(t);
  // Neither renews its places within the test.
  const lasting = { leaseSeconds: 600 };
  const [gone, next] = [createKeyLeases(db, lasting), createKeyLeases(db, lasting)];
  await gone.acquire('key', 1);
  t.is(await next.acquire('key', 1), null);
  await sql`UPDATE place_holders SET seen_at = seen_at + interval '1 hour'`.execute(db);
  const release = await next.acquire('key', 1);
  t.not(release, null);
  release!();
  await Promise.all([gone.close(), next.close()]);
});

test('an organization waits for its decoder time no longer than a window', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const spend = (since: string) =>
    sql`
    INSERT INTO failed_decodes (organization_id, minute, milliseconds)
    VALUES (${organizationId}, date_trunc('minute', now() + ${since}::interval),
      ${failedDecodeBudget.seconds * 1_000})`.execute(db);
  const waited = async () => (await decodeStatus(db, organizationId, [])).waitSeconds;
  await spend('1 hour');
  t.is(await waited(), null);
  await spend('0 hours');
  t.true((await waited())! <= failedDecodeBudget.windowSeconds);
});
