// No query of db/ scans a large table: each one is called and its plan inspected.
import { readdirSync } from 'node:fs';
import test from 'ava';
import pg from 'pg';
import { queriesOver } from '../../db/database.ts';
import { testPool } from '../support/database.ts';
import { largeDatabase } from '../support/large-database.ts';
import { queryExercises } from '../support/query-exercises.ts';

/** Small tables may be scanned. */
const largeRows = 5_000;

/** Not a query of the service, of a table without rows, or only opens what sends one. */
const exempt = [
  'ensureDatabase',
  'ensureServiceRole',
  'grantService',
  'openRecordedStore',
  'migrateToLatest',
  'pingDatabase',
  'requireWritableDatabase',
];

/** Exported functions that have a database parameter. */
async function queryFunctions(): Promise<readonly string[]> {
  const folder = new URL('../../db/', import.meta.url);
  const names: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
    const module = (await import(new URL(name, folder).href)) as Record<string, unknown>;
    for (const [exported, value] of Object.entries(module)) {
      const source = typeof value === 'function' ? value.toString() : '';
      const given = /^(?:async )?function \w+\(\s*(?:db|trx|owner|\{[^}]*\bdb\b)/.test(source);
      if (given && !exempt.includes(exported)) names.push(exported);
    }
  }
  return names;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Join Type'?: string;
  readonly 'Join Filter'?: string;
  readonly Plans?: readonly Plan[];
}

function sequentialScans(plan: Plan, large: ReadonlySet<string>): readonly string[] {
  const relation = plan['Relation Name'] ?? '';
  const own = plan['Node Type'] === 'Seq Scan' && large.has(relation) ? [relation] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((child) => sequentialScans(child, large))];
}

/** Every row with every other: however few are expected, a batch may have ten thousand items. */
function comparesAll(plan: Plan): boolean {
  const own = plan['Join Type'] === 'Anti' && plan['Join Filter']?.includes('batch_items');
  return own === true || (plan.Plans ?? []).some(comparesAll);
}

test('every function that sends a query is exercised', async (t) => {
  const functions = await queryFunctions();
  t.true(functions.length > 80, `${functions.length}`);
  t.deepEqual(functions.filter((name) => !(name in queryExercises)).sort(), []);
  t.deepEqual(
    Object.keys(queryExercises).filter((name) => !functions.includes(name)),
    [],
  );
});

test('no plan has a sequential scan of a large table', async (t) => {
  const { url, ownerUrl } = await largeDatabase(t);
  const sent: { readonly text: string; readonly values: unknown[] }[] = [];
  const pool = testPool(t, url);
  const db = queriesOver(pool, ({ query }) => {
    sent.push({ text: query.sql, values: [...query.parameters] });
  });
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND reltuples >= ${largeRows}`,
  );
  const large = new Set(rows.map(({ relname }) => relname));
  t.true(large.size >= 10, [...large].join());
  const found: string[] = [];
  for (const [name, exercise] of Object.entries(queryExercises)) {
    sent.length = 0;
    await exercise(db);
    const queries = sent.filter(({ text }) =>
      /^\s*(select|insert|update|delete|with)\b/i.test(text),
    );
    t.true(queries.length > 0, `${name} sent nothing`);
    for (const { text, values } of queries) {
      const explained = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
        text: `EXPLAIN (FORMAT JSON) ${text}`,
        values,
      });
      const plan = explained.rows[0]!['QUERY PLAN'][0]!.Plan;
      const scanned = sequentialScans(plan, large);
      if (comparesAll(plan)) found.push(`${name} compares all: ${text.slice(0, 300)}`);
      if (scanned.length > 0) found.push(`${name}: ${scanned.join()}: ${text.slice(0, 300)}`);
    }
  }
  t.deepEqual(found, []);
});
