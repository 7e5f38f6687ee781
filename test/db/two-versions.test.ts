// The previous version and this one on one database: each one's statements run on the other's
// schema.
import { readFileSync } from 'node:fs';
import test from 'ava';
import pg from 'pg';
import { balanceOf } from '../../db/balance.ts';
import { countItemsOf } from '../../db/batch-counts.ts';
import { findBatches, listBatches } from '../../db/batches.ts';
import { migrations, prepareDatabase } from '../../db/migrate.ts';
import { claimRequest } from '../../db/requests.ts';
import { storageOf } from '../../db/storage-quota.ts';
import { usageReport } from '../../db/usage-report.ts';
import { patient, testDatabase } from '../support/database.ts';

/** A value as JSON has it: bytes and times are distinguished from text. */
type Recorded = { readonly bytes: string } | { readonly time: string } | string | number | null;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly (Recorded | readonly Recorded[])[];
}

/**
 * Every statement of the previous version, recorded by its query log during a run that made, used
 * and ended one of everything.
 */
const recorded = JSON.parse(
  readFileSync(new URL('./statements-2026-11-22.json', import.meta.url), 'utf8'),
) as readonly Statement[];

function toValue(value: Statement['parameters'][number]): unknown {
  if (Array.isArray(value)) return value.map(toValue);
  if (value === null || typeof value !== 'object') return value;
  if ('bytes' in value) return Buffer.from(value.bytes, 'base64');
  return 'time' in value ? new Date(value.time) : value;
}

test('the previous version’s statements run here, and its rows are readable', async (t) => {
  const { db, url } = await testDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  t.true(recorded.length > 150, `${recorded.length}`);
  for (const { sql, parameters } of recorded) {
    await t.notThrowsAsync(client.query(sql, parameters.map(toValue)), sql);
  }
  const { id: organizationId } = await db
    .selectFrom('organizations')
    .select('id')
    .executeTakeFirstOrThrow();
  const { rows } = await client.query<{ seconds: number }>(
    "SELECT sum(seconds)::int AS seconds FROM ledger WHERE kind = 'debit'",
  );
  const { seconds } = rows[0]!;
  t.true(seconds > 0);
  // Over all periods, because the recorded ones are those of its own run.
  const totals = await db.selectFrom('ledgerTotals').select('seconds').execute();
  t.is(
    totals.reduce((sum, row) => sum + Number(row.seconds), 0),
    seconds,
    'nothing is held back',
  );
  t.is((await balanceOf(db, organizationId)).allowanceSeconds, 20_000);
  const report = await usageReport(db, { organizationId, from: null, to: null });
  t.is(
    report.reduce((sum, row) => sum + row.seconds, 0),
    seconds,
  );
  t.like((await storageOf(db, organizationId)).used, { bytes: 0, files: 0 });
  const { rows: ids } = await listBatches(db, organizationId, { limit: 10, after: null });
  const batches = await findBatches(db, organizationId, ids);
  const counts = await countItemsOf(db, batches);
  t.deepEqual(
    batches.map(({ id, total }) => counts.get(id)!.cancelled === total),
    [true],
    'ended by the version before, which keeps no counts',
  );
  const { keyId } = await db.selectFrom('requests').select('keyId').executeTakeFirstOrThrow();
  const claim = await claimRequest(db, {
    ...{ organizationId, keyId, requestId: 'a', fingerprint: 'f', task: 'emotion' },
    ...{ model: 'svc-resonance', ratePerMinute: 8_000, uploadKey: 'u' },
  });
  t.like(claim, { kind: 'rejected', code: 'request_already_completed' });
});

test('the schema of a newer version stays as it is, so that this one can come back', async (t) => {
  const { url, ownerUrl } = await testDatabase(t);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  const role = new URL(url).username;
  const newer = '9999-01-01-01-newer';
  await owner.query(`INSERT INTO kysely_migration VALUES ($1, '')`, [newer]);
  await owner.query(`CREATE TABLE withheld ()`);
  t.deepEqual(await prepareDatabase(url, ownerUrl, patient), { ran: [], newer: [newer] });
  const { rows } = await owner.query(`SELECT has_table_privilege($1, 'withheld', 'SELECT')`, [
    role,
  ]);
  t.false(rows[0].has_table_privilege, 'nor are its privileges changed');

  // A migration before the last one that is not known here is another matter.
  const last = Object.keys(migrations).at(-1)!;
  await owner.query(`UPDATE kysely_migration SET name = '2000-old' WHERE name = $1`, [newer]);
  t.true('2000-old' < last);
  await t.throwsAsync(prepareDatabase(url, ownerUrl, patient), { message: /2000-old is missing/ });
});
