// Scratch measurement.
import test from 'ava';
import pg from 'pg';
import { openDatabase } from '../../db/database.ts';
import { countDrift, ledgerDrift } from '../../db/upkeep-report.ts';
import { anAccount, testDatabase } from '../support/database.ts';
test('measure', async (t) => {
  t.timeout(580_000);
  const { db, url, ownerUrl } = await testDatabase(t);
  const su = new pg.Client({ connectionString: ownerUrl }); await su.connect();
  const { organizationId: o, keyId } = await anAccount(db);
  const all = Number(process.env.N5_ALL ?? 600000), hour = 300000;
  const log = (...x: any[]) => console.error('N5', ...x);
  let t0 = performance.now();
  for (const table of ['ledger', 'requests']) await su.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await su.query(`INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model, upload_key, state, created_at, updated_at, billable_seconds, microusd_per_minute) SELECT $1, md5(i::text), 'f', $2, 'transcription', 'svc-resonance', 'uploads/' || i, 'completed', now(), now() - interval '1 second' * CASE WHEN i <= ${hour} THEN i * 0.01 ELSE 3600 + i * 2.5 END, 60, 8000 FROM generate_series(1, ${all}) i`, [o, keyId]);
  await su.query(`INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period, created_at) SELECT organization_id, request_id, 1, k.kind, 60, 8000, billing_period('subscription', now()), updated_at FROM requests, (VALUES ('reserve'), ('release'), ('debit')) k(kind)`);
  await su.query('VACUUM ANALYZE');
  log('filled', (performance.now() - t0) / 1000);
  const d2 = openDatabase(url, { statementTimeoutMs: 600_000 });
  for (let i = 0; i < 3; i++) { t0 = performance.now(); log(await countDrift(d2, 3600), 'count ms', performance.now() - t0); }
  t0 = performance.now(); log((await ledgerDrift(d2, { windowSeconds: 30 * 86400, limit: 1e6 })).length, 'names ms', performance.now() - t0);
  const base = (lateral: string) => `SELECT kind, count(*) FROM (SELECT requests.request_id, found.kind ${lateral}) x GROUP BY kind`;
  const v1 = `FROM requests, LATERAL (SELECT count(*) FILTER (WHERE kind = 'debit') AS debits, count(*) FILTER (WHERE kind = 'debit' AND attempt = requests.attempt) AS own_debits, count(*) FILTER (WHERE kind = 'reserve' AND attempt = requests.attempt) - count(*) FILTER (WHERE kind = 'release' AND attempt = requests.attempt) AS held FROM ledger WHERE ledger.organization_id = requests.organization_id AND ledger.request_id = requests.request_id) AS entries, LATERAL (VALUES ('undebited', state = 'completed' AND billable_seconds > 0 AND debits = 0), ('unearned', state <> 'completed' AND own_debits > 0), ('held', held > 0)) AS found (kind, is_so) WHERE state IN ('completed', 'failed', 'closed') AND updated_at > now() - interval '1 hour' AND is_so`;
  const joined = `FROM (SELECT r.request_id, state, billable_seconds, count(*) FILTER (WHERE l.kind = 'debit') AS debits, count(*) FILTER (WHERE l.kind = 'debit' AND l.attempt = r.attempt) AS own_debits, count(*) FILTER (WHERE l.kind = 'reserve' AND l.attempt = r.attempt) - count(*) FILTER (WHERE l.kind = 'release' AND l.attempt = r.attempt) AS held FROM requests r LEFT JOIN ledger l USING (organization_id, request_id) WHERE state IN ('completed', 'failed', 'closed') AND updated_at > now() - interval '1 hour' GROUP BY r.organization_id, r.request_id) AS requests, LATERAL (VALUES ('undebited', state = 'completed' AND billable_seconds > 0 AND debits = 0), ('unearned', state <> 'completed' AND own_debits > 0), ('held', held > 0)) AS found (kind, is_so) WHERE is_so`;
  const anti = `SELECT (SELECT count(*) FROM requests r WHERE state='completed' AND updated_at > now() - interval '1 hour' AND billable_seconds>0 AND NOT EXISTS (SELECT FROM ledger l WHERE l.organization_id=r.organization_id AND l.request_id=r.request_id AND l.kind='debit')) u, (SELECT count(*) FROM requests r JOIN ledger l USING (organization_id, request_id, attempt) WHERE state IN ('completed', 'failed', 'closed') AND updated_at > now() - interval '1 hour' AND l.kind='reserve' AND NOT EXISTS (SELECT FROM ledger x WHERE x.organization_id=r.organization_id AND x.request_id=r.request_id AND x.attempt=r.attempt AND x.kind='release')) h`;
  for (const [n, q] of [['lateral', base(v1)], ['joined', base(joined)], ['anti', anti]] as const) {
    for (let i = 0; i < 2; i++) { t0 = performance.now(); await su.query(q); log(n, performance.now() - t0); }
    const { rows } = await su.query(`EXPLAIN (ANALYZE, BUFFERS) ${q}`); log(rows.map((r: any) => r['QUERY PLAN']).join('\n'));
  }
  await d2.destroy(); await su.end();
  t.pass();
});
