// The decoding budget of organizations, and files that are not decoded again.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { attemptKey, type RequestRef } from './request-ref.ts';
import { inSteps, stepRows } from './retention.ts';

/** Decoder time that an organization may spend on undecodable files. */
export const failedDecodeBudget = { seconds: 90, windowSeconds: 600 } as const;

/** The cause that killed a file's decoder may go away. */
const quarantineHours = 24;

/** A rejection that is repeated without decoding. */
export interface DecodeVerdict {
  readonly code: string;
  readonly message: string;
}

export interface DecodeStatus {
  /** The verdict of any of the contents; null when none has crashed its decoder. */
  readonly verdict: DecodeVerdict | null;
  /** Whole seconds until the budget allows decoding again, >= 1; null while it does. */
  readonly waitSeconds: number | null;
}

/** @param contents identities of one file: its hash, the key of its object */
export async function decodeStatus(
  db: Db,
  organizationId: string,
  contents: readonly string[],
): Promise<DecodeStatus> {
  const { seconds, windowSeconds } = failedDecodeBudget;
  const { rows } = await sql<{ ms: number; wait: number | null; code?: string; message?: string }>`
    SELECT spent.ms, spent.wait, known.error_code AS code, known.error_message AS message
    FROM (
      SELECT coalesce(sum(milliseconds), 0) AS ms,
        ceil(extract(epoch FROM min(minute) + make_interval(secs => ${windowSeconds}) - now()))
          AS wait
      FROM failed_decodes
      WHERE organization_id = ${organizationId}
        -- What lies in the future was spent before the clock was set back.
        AND minute > now() - make_interval(secs => ${windowSeconds}) AND minute <= now()
    ) AS spent
    LEFT JOIN LATERAL (
      SELECT error_code, error_message FROM quarantined_audio
      WHERE organization_id = ${organizationId} AND content = ANY(${[...contents]}::text[])
        AND created_at > now() - make_interval(hours => ${quarantineHours})
      LIMIT 1
    ) AS known ON true`.execute(db);
  const [{ ms, wait, code, message }] = rows as [(typeof rows)[number]];
  return {
    verdict: code ? { code, message: message! } : null,
    waitSeconds: ms < seconds * 1_000 ? null : Math.max(1, wait ?? 0),
  };
}

/** Verdicts that hold, by content, of many files in one statement. */
export async function verdictsOf(
  db: Db,
  organizationId: string,
  contents: ReadonlySet<string>,
): Promise<ReadonlyMap<string, DecodeVerdict>> {
  if (contents.size === 0) return new Map();
  const rows = await db
    .selectFrom('quarantinedAudio')
    .select(['content', 'errorCode as code', 'errorMessage as message'])
    .where('organizationId', '=', organizationId)
    .where('content', '=', sql<string>`any(${[...contents]})`)
    .where('createdAt', '>', sql<Date>`now() - make_interval(hours => ${quarantineHours})`)
    .execute();
  return new Map(rows.map(({ content, ...verdict }) => [content, verdict]));
}

/** @returns how many decodes of the attempt were started without an end, including this one */
export async function beginDecode(db: Db, ref: RequestRef): Promise<number> {
  const { organizationId, requestId, attempt } = ref;
  const { begun } = await db
    .insertInto('decodeAttempts')
    .values({ organizationId, requestId, attempt, begun: 1 })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'requestId', 'attempt']).doUpdateSet({
        begun: sql`decode_attempts.begun + 1`,
        updatedAt: sql`now()`,
      }),
    )
    .returning('begun')
    .executeTakeFirstOrThrow();
  return begun;
}

/** Records that decoding ended, with whatever outcome. */
export async function endDecode(db: Db, ref: RequestRef): Promise<void> {
  await db
    .deleteFrom('decodeAttempts')
    .where((eb) => eb.and(attemptKey(ref)))
    .execute();
}

/** Charges decoder time that a file used without a result. */
export async function countFailedDecode(
  db: Db,
  organizationId: string,
  seconds: number,
): Promise<void> {
  await db
    .insertInto('failedDecodes')
    .values({
      organizationId,
      minute: sql`date_trunc('minute', now())`,
      milliseconds: Math.ceil(seconds * 1_000),
    })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'minute']).doUpdateSet({
        milliseconds: sql`failed_decodes.milliseconds + excluded.milliseconds`,
      }),
    )
    .execute();
}

/** From now on the file is rejected with the same message, without being decoded. */
export async function quarantine(
  db: Db,
  organizationId: string,
  { contents, verdict }: { readonly contents: readonly string[]; readonly verdict: DecodeVerdict },
): Promise<void> {
  const { code, message } = verdict;
  await db
    .insertInto('quarantinedAudio')
    .values(
      contents.map((content) => {
        return {
          organizationId,
          content,
          errorCode: code,
          errorMessage: message,
        };
      }),
    )
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'content']).doUpdateSet({ createdAt: sql`now()` }),
    )
    .execute();
}

/** Deletes rows that are no longer needed. */
export async function pruneDecodes(db: Db): Promise<void> {
  const older = (hours: number) => sql`now() - make_interval(hours => ${hours})`;
  const tables = [
    { table: 'failedDecodes', age: sql`minute < ${older(1)}` },
    { table: 'quarantinedAudio', age: sql`created_at < ${older(quarantineHours)}` },
    { table: 'decodeAttempts', age: sql`updated_at < ${older(24)}` },
  ];
  for (const { table, age } of tables) {
    // Old rows are never updated, so their physical position identifies them within one statement.
    const step = sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${age} LIMIT ${stepRows} FOR UPDATE SKIP LOCKED))`;
    await inSteps(async () => Number((await step.execute(db)).numAffectedRows));
  }
}
