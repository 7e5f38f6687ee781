// What decoding cost an organization for nothing, and which of its files are not decoded again.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { attemptKey, type RequestRef } from './request-ref.ts';

/** Time of decoders that an organization may spend on files that give nothing. */
export const failedDecodeBudget = { seconds: 90, windowSeconds: 600 } as const;

/** A file that ended its decoder may do so for a reason that goes away. */
const quarantineHours = 24;

/** A refusal that is repeated without decoding. */
export interface DecodeVerdict {
  readonly code: string;
  readonly message: string;
}

export interface DecodeStatus {
  /** Of any of the contents; null when none is known to end its decoder. */
  readonly verdict: DecodeVerdict | null;
  /** Whole seconds until the budget has room, >= 1; null while it has. */
  readonly waitSeconds: number | null;
}

/** @param contents names of one file: its hash, the key of its object */
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
        AND minute > now() - make_interval(secs => ${windowSeconds})
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

/** @returns how often decoding was begun for the attempt of a request without an end, with this */
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

/** It ended, well or not: somebody saw it. */
export async function endDecode(db: Db, ref: RequestRef): Promise<void> {
  await db
    .deleteFrom('decodeAttempts')
    .where((eb) => eb.and(attemptKey(ref)))
    .execute();
}

/** Counts what a decoder spent on a file that gave nothing. */
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

/** From here on the file is refused with the same words, without being decoded. */
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

/** Rows of one statement: it holds its locks for some ten milliseconds. */
const stepRows = 1_000;
/** Of one table in one pass. */
const maxSteps = 20;

/** Deletes what nothing asks for any more; what it leaves, the next pass finds. */
export async function pruneDecodes(db: Db): Promise<void> {
  const older = (hours: number) => sql`now() - make_interval(hours => ${hours})`;
  const tables = [
    { table: 'failedDecodes', age: sql`minute < ${older(1)}` },
    { table: 'quarantinedAudio', age: sql`created_at < ${older(quarantineHours)}` },
    { table: 'decodeAttempts', age: sql`updated_at < ${older(24)}` },
  ];
  for (const { table, age } of tables) {
    // No row is written that is old: where a row lies on the disk names it for one statement.
    const step = sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${age} LIMIT ${stepRows} FOR UPDATE SKIP LOCKED))`;
    for (let i = 0; i < maxSteps; i += 1) {
      const { numAffectedRows } = await step.execute(db);
      if (numAffectedRows !== BigInt(stepRows)) break;
    }
  }
}
