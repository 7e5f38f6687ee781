// What operators watch: contradictions of requests and ledger, and a sweeper that falls behind.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { sql } from 'kysely';
import pg from 'pg';
import { Registry } from 'prom-client';
import { withDatabase } from '../../bin/commands/admin/database.ts';
import { registerUpkeep } from '../../bin/process/upkeep.ts';
import { openDatabase } from '../../db/database.ts';
import { registerObject } from '../../db/object-rows.ts';
import { claimRequest, failRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { writeEntry } from '../../db/ledger.ts';
import { grantCredits } from '../../db/organizations.ts';
import { ledgerDrift, recordSweep, sweepDelays, totalsDrift } from '../../db/upkeep-report.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const run = promisify(execFile);
const svc = join(import.meta.dirname, '..', '..', 'bin', 'svc.ts');
const lately = { windowSeconds: 3_600, limit: 100 };
const lifetimes = { upload: 60, work: 60, result: 60 };
const failure = { code: 'internal_error', message: 'It failed.', param: null };
const one = { seconds: 1, microUsd: 1 };

/** An account with a request that was charged, one that failed, and one that goes on. */
async function prepared(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t);
  const { db } = database;
  const { organizationId, keyId } = await anAccount(db);
  const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  for (const requestId of ['charged', 'failed', 'open']) {
    const named = { organizationId, keyId, requestId, fingerprint: 'f', ratePerMinute: 8_000 };
    const rest = { task: 'emotion', model: 'svc-resonance', uploadKey: `uploads/${requestId}` };
    await claimRequest(db, { ...named, ...rest });
    await reserve(db, ref(requestId), 10);
  }
  await settle(db, ref('charged'), 10);
  await failRequest(db, ref('failed'), failure);
  return { ...database, organizationId, ref };
}

test('what ended in order is no drift', async (t) => {
  const { db, organizationId } = await prepared(t);
  t.deepEqual(await ledgerDrift(db, lately), []);
  t.deepEqual(await totalsDrift(db, organizationId), []);
});

test('each contradiction of a request and its entries is found, by kind', async (t) => {
  const { db, ref } = await prepared(t);
  const completed = sql`UPDATE requests SET state = 'completed', billable_seconds = 10`;
  // A reservation that nobody released, a debit of a failure, and a completion without one.
  await writeEntry(db, { ...ref('failed'), attempt: 1, kind: 'debit', ...one });
  await sql`${completed}, updated_at = now() WHERE request_id = 'open'`.execute(db);
  const found = await ledgerDrift(db, lately);
  const told = found.map(({ kind, requestId }) => `${requestId} ${kind}`).toSorted();
  t.deepEqual(told, ['failed unearned', 'open held', 'open undebited']);
  t.deepEqual(await ledgerDrift(db, { ...lately, windowSeconds: 0 }), []);

  const registry = new Registry();
  registerUpkeep(registry, db);
  const metrics = await registry.metrics();
  for (const kind of ['unearned', 'held', 'undebited']) {
    t.regex(metrics, new RegExp(`^svc_ledger_drift{kind="${kind}"} 1$`, 'm'));
  }
  t.regex(metrics, /^svc_sweep_age_seconds \d/m, 'also where the sweeper has never run');
});

test('contradictions are counted however many requests end after them', async (t) => {
  const { db, organizationId } = await prepared(t);
  const ended = (name: string, { many, seconds, age }: Record<string, number | string>) =>
    sql`INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model,
        upload_key, state, billable_seconds, updated_at)
      SELECT organization_id, ${name} || i, 'f', key_id, task, model, '', 'completed',
        ${seconds}::int, now() - ${age}::interval
      FROM requests, generate_series(1, ${many}::int) AS i
      WHERE organization_id = ${organizationId} AND request_id = 'charged'`.execute(db);
  await ended('undebited', { many: 5, seconds: 60, age: '3 minutes' });
  await ended('free', { many: 2_500, seconds: 0, age: '0' });
  t.is((await ledgerDrift(db, { ...lately, limit: 3 })).length, 3);
  const registry = new Registry();
  registerUpkeep(registry, db);
  t.regex(await registry.metrics(), /^svc_ledger_drift{kind="undebited"} 5$/m);
});

test('a charged request that runs again for nothing, and fails, was earned', async (t) => {
  const { db } = await prepared(t);
  await sql`UPDATE requests SET state = 'failed', attempt = 2 WHERE request_id = 'charged'`.execute(
    db,
  );
  t.deepEqual(await ledgerDrift(db, lately), []);
});

test('a balance that is not the sum of its entries is found by the command', async (t) => {
  const { url, ownerUrl, db, organizationId } = await prepared(t);
  const ask = (): Promise<{ stdout: string }> =>
    run(process.execPath, [svc, 'admin', 'ledger'], { env: { ...process.env, DATABASE_URL: url } });
  t.regex((await ask()).stdout, /agree/);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('UPDATE ledger_totals SET seconds = seconds + 7');
  await owner.end();
  t.like(await totalsDrift(db, organizationId), [{ seconds: 7, microUsd: 0 }]);
  const error = await t.throwsAsync(ask(), { code: 1 });
  t.regex((error as unknown as { stdout: string }).stdout, /balance +org_\S+ +\S+ +7 /);
});

test('credits that are not the sum of their grants are found', async (t) => {
  const { ownerUrl, db, organizationId } = await prepared(t);
  await grantCredits(db, { organizationId, actor: 'test', microUsd: 5_000_000 });
  t.deepEqual(await totalsDrift(db, organizationId), []);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const more = 'granted_microusd = granted_microusd + 9';
  await owner.query(`UPDATE ledger_totals SET ${more} WHERE granted_microusd > 0`);
  await owner.end();
  const found = await totalsDrift(db, organizationId);
  const amounts = { seconds: 0, microUsd: 0, grantedMicroUsd: 9 };
  t.deepEqual(found, [{ organizationId, period: new Date(0), ...amounts }]);
});

test('a ledger that cannot be read has an exit code of its own', async (t) => {
  const env = { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const asked = run(process.execPath, [svc, 'admin', 'ledger'], { env });
  const error = await t.throwsAsync(asked, { code: 3 });
  t.regex((error as unknown as { stderr: string }).stderr, /could not be compared .*ECONNREFUSED/);
});

test.serial('reports of operators may take longer than the statements of callers', async (t) => {
  const { url } = await testDatabase(t);
  const { DATABASE_URL } = process.env;
  t.teardown(() => {
    if (DATABASE_URL === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = DATABASE_URL;
  });
  process.env.DATABASE_URL = url;
  const { rows } = await withDatabase((db) => sql`SHOW statement_timeout`.execute(db));
  t.deepEqual(rows, [{ statementTimeout: '10min' }]);
});

test('what the sweeper has not come to is told with its age', async (t) => {
  const { db, organizationId } = await prepared(t);
  await registerObject(db, { key: 'uploads/old', organizationId, kind: 'upload' });
  await sql`UPDATE objects SET created_at = now() - interval '100 s'`.execute(db);
  await sql`UPDATE organizations SET created_at = now() - interval '1 day'`.execute(db);
  const before = await sweepDelays(db, lifetimes);
  t.true(before.sinceSweepSeconds! >= 86_400, 'never since the first organization');
  t.true(before.overdueSeconds.upload >= 40 && before.overdueSeconds.upload < 3_000);
  t.like(before.overdueSeconds, { work: 0, file: 0 });
  t.true(before.oldestOpenSeconds > 0);
  await sql`INSERT INTO files (id, organization_id, object_key, filename, expires_at)
    VALUES ('file-a', ${organizationId}, 'uploads/a', 'a', now() - interval '100 s')`.execute(db);
  const { file } = (await sweepDelays(db, lifetimes)).overdueSeconds;
  t.true(file >= 100 && file < 3_000);
  await recordSweep(db);
  const { sinceSweepSeconds } = await sweepDelays(db, lifetimes);
  t.true(sinceSweepSeconds !== null && sinceSweepSeconds < 3_000);
});

test('a database that is away leaves its gauges out and the others alone', async (t) => {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  t.teardown(() => db.destroy());
  const registry = new Registry();
  registerUpkeep(registry, db);
  t.notRegex(await registry.metrics(), /^svc_\w+(\{[^}]*\})? \d/m);
});
