// Values from the database: names in camelCase, sums as numbers, JSON with its own keys.
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { listAudit, writeAudit } from '../../db/audit.ts';
import { openDatabase } from '../../db/database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { anAccount, patient, testDatabase } from '../support/database.ts';

test('counts, sums and seconds are numbers; an inexact one fails its query', async (t) => {
  const { db } = await testDatabase(t);
  const { rows } = await sql<object>`SELECT count(*) AS n, sum(9007199254740990::bigint) AS large,
    -9007199254740991 AS least, extract(epoch FROM interval '1.5 s') AS seconds,
    NULL::bigint AS nothing, true AS fact, 'x' AS text`.execute(db);
  t.deepEqual(rows, [
    {
      n: 1,
      large: 2 ** 53 - 2,
      least: 1 - 2 ** 53,
      seconds: 1.5,
      nothing: null,
      fact: true,
      text: 'x',
    },
  ]);
  for (const value of ['9007199254740992', '-9007199254740992', "'NaN'", "'Infinity'"]) {
    const query = sql.raw(`SELECT 1 AS one, ${value}::numeric AS value`);
    await t.throwsAsync(query.execute(db), { instanceOf: RangeError }, value);
    t.is((await sql<object>`SELECT 1 AS one`.execute(db)).rows.length, 1, 'the connection lives');
  }
});

test('column names are converted, and keys within JSON are not', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const details = { snake_key: 1, camelKey: 2 };
  await writeAudit(db, { organizationId, actor: 'a', action: 'x', details });
  const [latest] = await listAudit(db, { organizationId, limit: 1 });
  t.deepEqual(latest!.details, details);
  const { rows } = await sql<object>`SELECT details, organization_id FROM audit
    WHERE action = 'x'`.execute(db);
  t.deepEqual(rows, [{ details, organizationId }]);
  const array = await sql<object>`SELECT '[{"a_b": {"c_d": 1}}]'::jsonb AS list_of`.execute(db);
  t.deepEqual(array.rows, [{ listOf: [{ a_b: { c_d: 1 } }] }]);
});

test('privileges are granted to the role of exactly this name', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const owner = openDatabase(ownerUrl, patient);
  t.teardown(() => owner.destroy());
  const role = `svcService_${randomBytes(6).toString('hex')}`;
  await sql.raw(`CREATE ROLE "${role}" LOGIN PASSWORD 'x'`).execute(owner);
  t.teardown(() => sql.raw(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`).execute(owner));
  const url = new URL(ownerUrl);
  url.username = role;
  await prepareDatabase(url.href, ownerUrl, patient);
  const { rows } = await sql<object>`SELECT has_table_privilege(${role}, 'requests', 'INSERT')
    AS may`.execute(owner);
  t.deepEqual(rows, [{ may: true }]);
});
