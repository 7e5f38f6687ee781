// Old rows are deleted in steps; charged ids stay used, and invoices keep their sums.
import test from 'ava';
import { sql } from 'kysely';
import { failRequest, claimRequest } from '../../db/requests.ts';
import { pruneRows } from '../../db/retention.ts';
import { closeSession, createSession, findSession } from '../../db/sessions.ts';
import { createCredential } from '../../db/stream-credentials.ts';
import { usageByDay, usageReport } from '../../db/usage-report.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { balanceOf } from '../../db/balance.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('old requests are deleted: charged ids stay used, failed ones are free again', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const rest = { fingerprint: 'f', task: 'emotion', model: 'svc-resonance', uploadKey: 'u' };
  const claim = (requestId: string, more = {}) =>
    claimRequest(db, { organizationId, keyId, requestId, ratePerMinute: 6_000, ...rest, ...more });
  const ref = (requestId: string, attempt = 1) => ({ organizationId, requestId, attempt });
  for (const id of ['charged', 'failed', 'young', 'open']) {
    await claim(id);
    await reserve(db, ref(id), 10);
  }
  await settle(db, ref('charged'), 10);
  await settle(db, ref('young'), 10);
  await failRequest(db, ref('failed'), { code: 'internal_error', message: '', param: null });
  const span = { organizationId, from: null, to: null };
  const before = await usageReport(db, span);
  const used = (await balanceOf(db, organizationId)).usedSeconds;
  await sql`UPDATE requests SET updated_at = now() - interval '401 days'
    WHERE request_id <> 'young'`.execute(db);
  await pruneRows(db);
  const left = await db.selectFrom('requests').select('requestId').orderBy('requestId').execute();
  t.deepEqual(
    left.map((row) => row.requestId),
    ['open', 'young'],
    'what is open stays, however old',
  );
  t.deepEqual(await usageReport(db, span), before);
  const { day } = before[0]!;
  t.deepEqual(await usageReport(db, { organizationId, from: day, to: day }), before);
  t.deepEqual(await usageReport(db, { organizationId, from: '2030-01-01', to: null }), []);
  t.is((await balanceOf(db, organizationId)).usedSeconds, used);
  t.like(await claim('charged'), { kind: 'rejected', code: 'request_already_completed' });
  t.deepEqual(await claim('failed'), { kind: 'admitted', attempt: 2 });
  await reserve(db, ref('failed', 2), 7);
  await settle(db, ref('failed', 2), 7);
  t.is((await balanceOf(db, organizationId)).usedSeconds, used + 7);
  t.deepEqual(await claim('charged', { repeats: 'run-again' }), { kind: 'admitted', attempt: 2 });
  await reserve(db, ref('charged', 2), 10);
  await settle(db, ref('charged', 2), 10);
  t.is((await balanceOf(db, organizationId)).usedSeconds, used + 7, 'one debit, for good');
  const reported = async (): Promise<unknown> => {
    const rows = await usageReport(db, span);
    return rows.map(({ requests, seconds }) => ({ requests, seconds }));
  };
  t.deepEqual(await reported(), [{ requests: 3, seconds: 10 + 10 + 7 }]);
  const byDay = [{ day, requests: 3, seconds: 10 + 10 + 7 }];
  t.deepEqual(await usageByDay(db, { organizationId, from: day }), byDay, 'whatever was pruned');
  t.deepEqual(await usageByDay(db, { organizationId, from: '2030-01-01' }), []);
  await sql`UPDATE requests SET updated_at = now() - interval '401 days'`.execute(db);
  await pruneRows(db);
  t.deepEqual(await reported(), [{ requests: 3, seconds: 10 + 10 + 7 }], 'each debit counts once');
});

test('sessions and credentials are deleted; the id of a session stays used', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const session = { organizationId, keyId, sessionId: 's', slots: 2, lifetimeSeconds: 30 };
  const make = (token: string) =>
    createSession(db, { ...session, token, maxCapacitySeconds: 60, ratePerMinute: 8_000 });
  await make('x');
  const opens = { lifetimeSeconds: 60 };
  const credential = { kind: 'client_token', secret: 'c', organizationId, keyId, opens } as const;
  await createCredential(db, credential);
  await createCredential(db, { ...credential, secret: 'fresh' });
  await pruneRows(db);
  t.truthy(await findSession(db, 'x'));
  await sql`UPDATE prepared_sessions SET expires_at = now() - interval '31 days'`.execute(db);
  await pruneRows(db);
  t.truthy(await findSession(db, 'x'), 'it was not closed');
  await closeSession(db, organizationId, 's');
  await sql`UPDATE stream_credentials SET expires_at = now() - interval '2 days'
    WHERE hash = sha256('c')`.execute(db);
  await pruneRows(db);
  t.is(await findSession(db, 'x'), null);
  t.is((await db.selectFrom('streamCredentials').select('kind').execute()).length, 1);
  t.is(await make('y'), null);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
});
