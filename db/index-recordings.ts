// Stores what is searched for of the analysed items of batches.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { RecordingPlace } from './recordings.ts';

/** What is searched for of an analysed item. */
export interface SearchEntry {
  readonly text: string;
  readonly language: string | null;
  readonly labels: readonly string[];
  /** Number of speakers; null when they were not separated. */
  readonly speakers: number | null;
  readonly durationSeconds: number;
  readonly words: number;
  readonly unsureWords: number;
}

export interface PlacedEntry extends RecordingPlace {
  readonly entry: SearchEntry;
}

/**
 * Stores entries in one statement. Speakers begin with the roles of their channels. A repetition
 * changes nothing, so that names given since are kept; an item that was deleted gets no entry.
 */
export async function indexRecordings(db: Db, placed: readonly PlacedEntry[]): Promise<void> {
  if (placed.length === 0) return;
  // With its ids the planner knows how few batches these are.
  const ids = [...new Set(placed.map(({ batchId }) => batchId))];
  const roles = await channelRolesOf(db, ids);
  const rows = placed.map(({ batchId, position, entry }) => {
    const text = indexable(entry.text);
    const speakers = namesOf(entry.speakers ?? 0, roles.get(batchId));
    return { batchId, position, ...entry, text, speakers };
  });
  await sql`
    INSERT INTO recordings (batch_id, position, organization_id, title, text, language, labels,
      speakers, duration_seconds, words, unsure_words)
    SELECT items.batch_id, items.position, organization_id, items.custom_id, made.text,
      made.language, made.labels, made.speakers, made."durationSeconds", made.words,
      made."unsureWords"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS made("batchId" text, position int,
        text text, language text, labels text[], speakers text[], "durationSeconds" float8,
        words int, "unsureWords" int)
      JOIN batch_items AS items ON items.batch_id = made."batchId"
        AND items.position = made.position
      JOIN batches ON batches.id = items.batch_id AND batches.id = ANY(${ids})
    ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * Roles of channels by batch. Options may hold text of a caller that is JSON but no jsonb, and only
 * a statement of PostgreSQL would fail for it.
 */
async function channelRolesOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('batches')
    .select(['id', 'options'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, options }) => {
      const { channelRoles } = JSON.parse(options) as { readonly channelRoles?: string[] };
      return [id, channelRoles ?? []];
    }),
  );
}

function namesOf(speakers: number, roles: readonly string[] = []): readonly string[] {
  return Array.from({ length: speakers }, (_, n) => roles[n] ?? `speaker_${n}`);
}

/** A term may have put a NUL into the text, and a long text is cut, maybe within a character. */
function indexable(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed();
}
