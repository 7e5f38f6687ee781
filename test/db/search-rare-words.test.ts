// A search of many recordings: rare words are found by their index, frequent ones among the newest.
import test from 'ava';
import { queriesOver } from '../../db/database.ts';
import { findRecordings, type RecordingPlace } from '../../db/recordings.ts';
import { parseSearch } from '../../db/search-terms.ts';
import { anAccount, testDatabase, testPool } from '../support/database.ts';

const items = 12_000;

/** Of 12,000 recordings the 30 oldest have `bergamot`, one of ten `refund`, and all `hello`. */
async function manyRecordings(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(database.db);
  const pool = testPool(t, database.ownerUrl);
  const statements = [
    `INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, total, bytes,
        expires_at)
      VALUES ('b', '${organizationId}', '${keyId}', 'emotion', 'm', '{}', '{}', ${items}, 1,
        now() + interval '1 day')`,
    `INSERT INTO batch_items SELECT 'b', i, 'item-' || i, '{}', 'f', 'k', 'wav', 1
      FROM generate_series(1, ${items}) AS i`,
    `INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model, state,
        upload_key, batch_id)
      SELECT '${organizationId}', 'b ' || i, 'f', '${keyId}', 'emotion', 'm', 'completed', '', 'b'
      FROM generate_series(1, ${items}) AS i`,
    `INSERT INTO recordings (batch_id, position, organization_id, title, text, labels, speakers,
        duration_seconds, words, unsure_words, created_at)
      SELECT 'b', i, '${organizationId}', 'item-' || i, 'hello'
          || CASE WHEN i <= 30 THEN ' bergamot' ELSE '' END
          || CASE WHEN i % 10 = 0 THEN ' refund' ELSE '' END
          || ' w' || (i % 1500) || ' v' || (i % 1499),
        '{}', '{}', 1, 1, 0, now() + i * interval '1 second'
      FROM generate_series(1, ${items}) AS i`,
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await pool.query(statement);
  const sent: { readonly text: string; readonly values: unknown[] }[] = [];
  const db = queriesOver(pool, ({ query }) => {
    sent.push({ text: query.sql, values: [...query.parameters] });
  });
  const find = async (query: string, after: RecordingPlace | null = null) => {
    sent.length = 0;
    const none = { speaker: null, label: null, language: null, from: null, to: null };
    const search = { ...none, terms: parseSearch(query), after, limit: 20 };
    const { rows, more } = await findRecordings(db, organizationId, search);
    const { text, values } = sent.at(-1)!;
    const plan = await pool.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    const positions = rows.map(({ position }) => position);
    return { positions, more, plan: JSON.stringify(plan.rows[0]!['QUERY PLAN']) };
  };
  return { find };
}

const downFrom = (start: number, step: number, length = 20): readonly number[] =>
  Array.from({ length }, (_, i) => start - i * step);

test('pages of rare, absent and frequent words', async (t) => {
  const { find } = await manyRecordings(t);
  const rare = await find('bergamot');
  t.deepEqual(rare.positions, downFrom(30, 1));
  t.true(rare.more);
  t.regex(rare.plan, /recordings_by_word/);
  const rest = await find('bergamot', { batchId: 'b', position: 11 });
  t.deepEqual(rest.positions, downFrom(10, 1, 10));
  t.false(rest.more);
  const absent = await find('cardamom hello');
  t.deepEqual(absent.positions, []);
  t.regex(absent.plan, /recordings_by_word/);
  const frequent = await find('refund hello');
  t.deepEqual(frequent.positions, downFrom(12_000, 10));
  t.notRegex(frequent.plan, /recordings_by_word/, 'of which there are too many to sort');
  const late = await find('refund -bergamot', { batchId: 'b', position: 100 });
  t.deepEqual(late.positions, [90, 80, 70, 60, 50, 40]);
  t.deepEqual((await find('"hello bergamot refund"')).positions, [30, 20, 10]);
  t.deepEqual((await find('-hello')).positions, []);
  t.deepEqual((await find('-refund')).positions.slice(0, 2), [11_999, 11_998]);
});
