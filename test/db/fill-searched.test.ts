// Recordings of versions before are made searchable by their words without a long lock.
import test from 'ava';
import { Migrator, sql } from 'kysely';
import { openDatabase, type Db } from '../../db/database.ts';
import { migrations, prepareDatabase } from '../../db/migrate.ts';
import { indexRecordings } from '../../db/index-recordings.ts';
import { findRecordings } from '../../db/recordings.ts';
import { parseSearch } from '../../db/search-terms.ts';
import { settle } from '../../db/settlement.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { emptyDatabase, patient, testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

const first = '2026-11-28-01-searched-words';

/** A database of the version before the words. */
async function databaseBefore(t: Cleanup) {
  const urls = await emptyDatabase(t);
  const owner = openDatabase(urls.ownerUrl, patient);
  t.teardown(() => owner.destroy());
  const before = Object.entries(migrations).filter(([name]) => name < first);
  const getMigrations = () => Promise.resolve(Object.fromEntries(before));
  const { error } = await new Migrator({
    db: owner,
    provider: { getMigrations },
  }).migrateToLatest();
  if (error) throw error;
  return { ...urls, owner };
}

/** What the first migration did when it was new. */
const earlierForm = [
  `CREATE FUNCTION searched_words(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate($1, '/', ' ')`,
  `ALTER TABLE recordings ADD COLUMN searched tsvector
    GENERATED ALWAYS AS (to_tsvector('simple', searched_words(title || ' ' || text))) STORED`,
  `DROP INDEX recordings_searched`,
  `CREATE INDEX recordings_by_word ON recordings USING gin (searched)`,
  `INSERT INTO kysely_migration VALUES ('${first}', '')`,
];

/** Columns, indexes and triggers of the recordings. */
async function describe(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod), attgenerated) AS line
      FROM pg_attribute WHERE attrelid = 'recordings'::regclass AND attnum > 0
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = 'recordings'::regclass
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgrelid = 'recordings'::regclass AND NOT tgisinternal
    ORDER BY 1`.execute(db);
  return rows.map(({ line }) => line);
}

async function fileOf(db: Db): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    SELECT pg_relation_filenode('recordings')::text AS file`.execute(db);
  return rows[0]!.file;
}

test('an upgrade rewrites no transcript, and keeps the index of the version before', async (t) => {
  const { url, ownerUrl, owner } = await databaseBefore(t);
  const file = await fileOf(owner);
  await prepareDatabase(url, ownerUrl, patient);
  t.is(await fileOf(owner), file);
  t.true((await describe(owner)).some((line) => line.includes('INDEX recordings_searched ')));
});

test('a database with the earlier form of the migration ends like a new one', async (t) => {
  const [{ url, ownerUrl, owner }, made] = await Promise.all([databaseBefore(t), testDatabase(t)]);
  for (const statement of earlierForm) await sql.raw(statement).execute(owner);
  const file = await fileOf(owner);
  await prepareDatabase(url, ownerUrl, patient);
  t.deepEqual(await describe(owner), await describe(made.db));
  t.is(await fileOf(owner), file);
});

test('all recordings of the version before are filled, and changed ones again', async (t) => {
  const { db, url, ownerUrl } = await testDatabase(t);
  const names = Array.from({ length: 250 }, (_, i) => `nord/${i}.wav`);
  const { batch, refs, organizationId } = await aStoredBatch(db, names);
  const entry = { text: 'words', language: 'en', labels: [], speakers: 1, durationSeconds: 1 };
  const counted = { ...entry, words: 1, unsureWords: 0 };
  await indexRecordings(
    db,
    names.map((_, position) => ({ batchId: batch.id, position, entry: counted })),
  );
  await Promise.all(refs.map((ref) => settle(db, ref, 1)));
  const none = { speaker: null, label: null, language: null, from: null, to: null, after: null };
  const found = async (query: string): Promise<number> => {
    const search = { ...none, terms: parseSearch(query), limit: 1_000 };
    return (await findRecordings(db, organizationId, search)).rows.length;
  };
  t.is(await found('nord'), 250, 'by the trigger');
  await sql`UPDATE recordings SET searched = NULL`.execute(db);
  t.is(await found('nord'), 0);
  await prepareDatabase(url, ownerUrl, patient);
  t.is(await found('nord'), 250);
  await sql`UPDATE recordings SET title = 'süd/1.wav' WHERE position < 5`.execute(db);
  t.deepEqual([await found('nord'), await found('süd')], [245, 5]);
});
