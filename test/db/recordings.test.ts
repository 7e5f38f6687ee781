// The console's search: recordings are found by the words of their file names and transcripts.
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { indexRecordings } from '../../db/index-recordings.ts';
import { findRecordings, speakersOf, totalsByLanguage } from '../../db/recordings.ts';
import { parseSearch } from '../../db/search-terms.ts';
import { settle } from '../../db/settlement.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

const names = [
  'call_0001.wav',
  'nord/2026-11-30_Müller.wav',
  'November/Team B/2026-11-29 Fischer.mp3',
  'kunde-0800-7654321.wav',
  '+49-30-1234567_20261127.wav',
  'süd/call.wav',
];
const text =
  "Please don't send it to jean-pierre@example.org, see https://example.org/help/3.5 <b>.";

/** What finds which of the names. */
const queries: readonly (readonly [string, readonly number[]])[] = [
  ['call_0001', [0]],
  ['0001', [0]],
  ['call', [5, 0]],
  ['Müller', [1]],
  ['mül', [1]],
  ['2026-11-30', [1]],
  ['"2026-11"', [2, 1]],
  ['nord/2026', [1]],
  ['Team', [2]],
  ['fischer.mp3', [2]],
  ['0800', [3]],
  ['7654321', [3]],
  ['49', [4]],
  ['+49-30', [4]],
  ['20261127', [4]],
  ['-call -kunde wav', [4, 1]],
  ["don't jean-pierre help 3.5", [5, 4, 3, 2, 1, 0]],
  ['example.org b', [5, 4, 3, 2, 1, 0]],
];

test('names of files and transcripts are found by their words', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, names);
  const counts = { language: 'en', labels: [], speakers: 1, durationSeconds: 1 };
  for (const [position, ref] of refs.entries()) {
    const entry = { text, ...counts, words: 9, unsureWords: 0 };
    await indexRecordings(db, [{ batchId: batch.id, position, entry }]);
    await settle(db, ref, 1);
  }
  const none = { speaker: null, label: null, language: null, from: null, to: null, after: null };
  for (const [query, wanted] of queries) {
    const page = { ...none, terms: parseSearch(query), limit: 20 };
    const { rows } = await findRecordings(db, organizationId, page);
    t.deepEqual(
      rows.map(({ position }) => position),
      wanted,
      query,
    );
  }
});

test('options and a text that are no jsonb stop no recording; roles are names', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, ['call']);
  const terms = { vocabulary: ['Ann\0', '\ud83d'], redactNames: ['Bob\0'] };
  const options = JSON.stringify({ ...terms, channelRoles: ['agent'] });
  await sql`UPDATE batches SET options = ${options}`.execute(db);
  const counts = { language: 'en', labels: [], speakers: 2, durationSeconds: 1 };
  const entry = { text: 'Ann\0 said half a face: \ud83d', ...counts, words: 6, unsureWords: 0 };
  await indexRecordings(db, [{ batchId: batch.id, position: 0, entry }]);
  await settle(db, refs[0]!, 1);
  t.deepEqual(await speakersOf(db, batch.id, 0), ['agent', 'speaker_1']);
  const none = { speaker: null, label: null, language: null, from: null, to: null, after: null };
  const search = { ...none, terms: parseSearch('ann face'), limit: 20 };
  t.is((await findRecordings(db, organizationId, search)).rows.length, 1);
});

test('a speaker is found by the name that pages show', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, ['call']);
  const counts = { language: 'en', labels: [], speakers: 2, durationSeconds: 1 };
  const entry = { text: 'hello', ...counts, words: 1, unsureWords: 0 };
  await indexRecordings(db, [{ batchId: batch.id, position: 0, entry }]);
  await settle(db, refs[0]!, 1);
  const none = { label: null, language: null, from: null, to: null, after: null };
  for (const [speaker, times] of [
    ['Speaker 1', 1],
    ['Speaker\u00a01', 1],
    ['speaker_1', 1],
    ['Speaker 2', 0],
  ] as const) {
    const search = { ...none, speaker, terms: [], limit: 20 };
    t.is((await findRecordings(db, organizationId, search)).rows.length, times, speaker);
  }
});

/** What is found of a recording with the text, hits between brackets. */
async function excerptsOf(t: ExecutionContext, said: string, queries: readonly string[]) {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, ['call']);
  const counts = { language: 'en', labels: [], speakers: 1, durationSeconds: 3_600 };
  const entry = { text: said, ...counts, words: 9_000, unsureWords: 0 };
  await indexRecordings(db, [{ batchId: batch.id, position: 0, entry }]);
  await settle(db, refs[0]!, 1);
  const none = { speaker: null, label: null, language: null, from: null, to: null, after: null };
  const excerpts: string[] = [];
  for (const query of queries) {
    const search = { ...none, terms: parseSearch(query), limit: 20 };
    const { rows } = await db.transaction().execute(async (trx) => {
      // The service's own; that of the tests never ends.
      await sql`SET LOCAL statement_timeout = '15s'`.execute(trx);
      return findRecordings(trx, organizationId, search);
    });
    excerpts.push(
      rows.map(({ excerpt }) => excerpt.replaceAll('\u0002', '[').replaceAll('\u0003', ']')).join(),
    );
  }
  return excerpts;
}

test('an excerpt is what surrounds the first of the words, wherever that is', async (t) => {
  const rest = 'Nothing is heard here at all. '.repeat(2_000);
  const said = `${rest}Send the REFUND, (to day) to Mr. Łukasz-Jones. ${rest}`;
  const queries = ['refu', '"refund to day"', '"not" refund', '"łukasz"', 'call'];
  const [prefix, phrase, whole, other, title] = await excerptsOf(t, said, queries);
  t.regex(prefix!, /the \[REFUND\], \(to day\)/);
  t.regex(phrase!, /the \[REFUND\], \(\[to\] \[day\]\)/);
  t.is(whole, '');
  t.is(other, '', 'as the database folds no other letters');
  t.regex(title!, /^Nothing is heard here/);
  const [within] = await excerptsOf(t, `All others. ${rest} The other side. ${rest}`, ['"other"']);
  t.regex(within!, /The \[other\] side/);
});

test('phrases are found in an hour of the same word before a statement ends', async (t) => {
  const phrase = Array(32).fill('no').join(' ');
  const queries = [Array(5).fill(`"${phrase}"`).join(' '), 'no "no no no"', 'n o no'];
  const [excerpt] = await excerptsOf(t, Array(15_000).fill('no').join(' '), queries);
  t.regex(excerpt!, /^\[no\]/);
});

test('a recording without a word counts as none of a language', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, ['spoken.wav', 'silent.wav']);
  const counts = { labels: [], speakers: 1, durationSeconds: 30, unsureWords: 0 };
  for (const [position, ref] of refs.entries()) {
    const [said, words] = position === 0 ? ['Hello.', 1] : ['', 0];
    const entry = { ...counts, text: said!, language: 'en', words };
    await indexRecordings(db, [{ batchId: batch.id, position, entry }]);
    await settle(db, ref, 1);
  }
  const totals = await totalsByLanguage(db, organizationId, new Date(0));
  t.deepEqual(
    new Set(totals.map((row) => `${row.language} ${row.words}`)),
    new Set(['en 1', 'null 0']),
  );
  const search = { speaker: null, label: null, from: null, to: null, after: null, limit: 20 };
  const terms = parseSearch('wav');
  const { rows } = await findRecordings(db, organizationId, { ...search, terms, language: 'en' });
  t.deepEqual(
    rows.map(({ position }) => position),
    [0],
  );
});
