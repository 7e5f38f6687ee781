// Analysed items of batches as the console lists and searches them.
import { sql, type RawBuilder } from 'kysely';
import { isKept } from './batches.ts';
import type { Db } from './database.ts';
import { excerptOf, queryOf, wantedOf } from './excerpts.ts';
import { toPage, type Page } from './pages.ts';
import type { SearchTerm } from './search-terms.ts';

/** An item of a batch. */
export interface RecordingPlace {
  readonly batchId: string;
  readonly position: number;
}

export interface RecordingSearch {
  readonly terms: readonly SearchTerm[];
  /** Part of a speaker's name; null for all. */
  readonly speaker: string | null;
  /** Emotion or style of a segment; null for all. */
  readonly label: string | null;
  readonly language: string | null;
  /** Analysed at or after, and before. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** The last recording of the page before. */
  readonly after: RecordingPlace | null;
  readonly limit: number;
}

export interface FoundRecording {
  readonly batchId: string;
  readonly position: number;
  readonly title: string;
  readonly language: string | null;
  readonly labels: readonly string[];
  readonly speakers: readonly string[];
  readonly durationSeconds: number;
  readonly words: number;
  readonly unsureWords: number;
  readonly createdAt: Date;
  /** Words around the match between \u0002 and \u0003, or the first words. */
  readonly excerpt: string;
}

/** Newest first. Items that failed after their result was stored, and expired ones, are hidden. */
export async function findRecordings(
  db: Db,
  organizationId: string,
  search: RecordingSearch,
): Promise<Page<FoundRecording>> {
  const { speaker, label, language, from, to, after } = search;
  const query = queryOf(search.terms, sql` && `);
  const place = [
    sql`recordings.organization_id = ${organizationId}`,
    ...(from === null ? [] : [sql`recordings.created_at >= ${from}`]),
    ...(to === null ? [] : [sql`recordings.created_at < ${to}`]),
    ...(after === null ? [] : [comesAfter(organizationId, after)]),
  ];
  const content = [
    ...(query ? [sql`searched @@ ${query}`] : []),
    ...(speaker === null ? [] : [speakerMatches(speaker)]),
    ...(label === null ? [] : [sql`${label} = ANY(labels)`]),
    // Of a recording without a word it is the one that was asked for, or expected.
    ...(language === null ? [] : [sql`language = ${language} AND words > 0`]),
  ];
  const all = sql`SELECT * FROM recordings WHERE ${every([...place, ...content])}`;
  const words = queryOf(wantedOf(search.terms), sql` && `);
  if (!words) return pageOf(db, all, search);
  const newest = sql`SELECT * FROM (SELECT * FROM recordings WHERE ${every(place)}
    ORDER BY ${newestFirst} LIMIT ${fewRows}) AS recordings WHERE ${every(content)}`;
  const page = await pageOf(db, newest, search);
  if (page.more) return page;
  return pageOf(db, (await areRare(db, words)) ? sql`${all} OFFSET 0` : all, search);
}

/** Recordings whose words are read in a tenth of a second, however long they are. */
const fewRows = 5_000;

/**
 * Whether few recordings have the words, in whatever order. Then all of them are read by the index
 * of words, to which OFFSET 0 leads: asked for a page alone, PostgreSQL reads the recordings of an
 * organization one by one, because it expects each word in one of some hundred.
 */
async function areRare(db: Db, words: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    SELECT count(*) AS found FROM (SELECT FROM recordings
      WHERE searched @@ regexp_replace(${words}::text, '<[^>]+>', '&', 'g')::tsquery
      LIMIT ${fewRows}) AS found`.execute(db);
  return rows[0]!.found < fewRows;
}

const newestFirst = sql`recordings.created_at DESC, recordings.batch_id DESC,
  recordings.position DESC`;

function every(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}

/** @param found a query for whole rows of `recordings` */
async function pageOf(
  db: Db,
  found: RawBuilder<unknown>,
  { terms, limit }: Pick<RecordingSearch, 'terms' | 'limit'>,
): Promise<Page<FoundRecording>> {
  const { rows } = await sql<FoundRecording>`
    SELECT recordings.batch_id, recordings.position, title, language, labels, speakers,
      duration_seconds, words, unsure_words, recordings.created_at, ${excerptOf(terms)} AS excerpt
    FROM (${found}) AS recordings
      JOIN batches ON batches.id = recordings.batch_id AND ${isKept}
      JOIN requests ON requests.organization_id = recordings.organization_id
        AND requests.request_id = recordings.batch_id || ' ' || recordings.position
        AND requests.state = 'completed'
    ORDER BY ${newestFirst} LIMIT ${limit + 1}`.execute(db);
  return toPage(rows, limit);
}

/** Pages show `speaker_0` with a blank, one that no line is broken at. */
function speakerMatches(name: string): RawBuilder<unknown> {
  const readable = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), E'_\\u00a0', '  ')`;
  const found = sql`position(${readable(sql`${name}::text`)} IN ${readable(sql`name`)}) > 0`;
  return sql`EXISTS (SELECT FROM unnest(speakers) AS name WHERE ${found})`;
}

function comesAfter(
  organizationId: string,
  { batchId, position }: RecordingPlace,
): RawBuilder<unknown> {
  return sql`(recordings.created_at, recordings.batch_id, recordings.position) < (
    SELECT c.created_at, c.batch_id, c.position FROM recordings AS c WHERE c.batch_id = ${batchId}
      AND c.position = ${position}::int AND c.organization_id = ${organizationId})`;
}

/** Names of the speakers in the order of their numbers; null for an item without an entry. */
export async function speakersOf(
  db: Db,
  batchId: string,
  position: number,
): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('recordings')
    .select('speakers')
    .where('batchId', '=', batchId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.speakers ?? null;
}

export interface NamedSpeakers extends RecordingPlace {
  readonly speakers: readonly string[];
}

/** @returns false when the item has no entry with so many speakers */
export async function nameSpeakers(
  db: Db,
  organizationId: string,
  { batchId, position, speakers }: NamedSpeakers,
): Promise<boolean> {
  const row = await db
    .updateTable('recordings')
    .set({ speakers: [...speakers] })
    .where('organizationId', '=', organizationId)
    .where('batchId', '=', batchId)
    .where('position', '=', position)
    .where(sql<boolean>`cardinality(speakers) = ${speakers.length}::int`)
    .returning('position')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sums over the recordings of one language. An overview reads them from indexes alone, so that they
 * include the few that a search hides until their batch is deleted.
 */
export interface LanguageTotals {
  /** null of recordings without a word. */
  readonly language: string | null;
  readonly recordings: number;
  readonly seconds: number;
  readonly words: number;
  readonly unsureWords: number;
}

/** Recordings analysed since an instant, by language, most first. */
export async function totalsByLanguage(
  db: Db,
  organizationId: string,
  since: Date,
): Promise<readonly LanguageTotals[]> {
  const { rows } = await sql<LanguageTotals>`
    SELECT CASE WHEN words > 0 THEN language END AS language, count(*) AS recordings,
      sum(duration_seconds) AS seconds, sum(words) AS words, sum(unsure_words) AS unsure_words
    FROM recordings WHERE organization_id = ${organizationId} AND created_at >= ${since}
    GROUP BY 1 ORDER BY 2 DESC`.execute(db);
  return rows;
}

/** How many recordings have a label in any of their segments. */
export interface LabelTotal {
  readonly label: string;
  readonly recordings: number;
}

/** Labels of recordings analysed since an instant, most frequent first. */
export async function totalsByLabel(
  db: Db,
  organizationId: string,
  since: Date,
): Promise<readonly LabelTotal[]> {
  const { rows } = await sql<LabelTotal>`
    SELECT label, count(*) AS recordings FROM recordings, unnest(labels) AS label
    WHERE organization_id = ${organizationId} AND created_at >= ${since}
    GROUP BY label ORDER BY 2 DESC, 1`.execute(db);
  return rows;
}
