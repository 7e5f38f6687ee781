// How far long items of batches have come: written by the activities, read for people who wait.
import { sql } from 'kysely';
import { itemStages, type ItemStage, type StageRange } from '../models/contract/item-progress.ts';
import type { Db } from './database.ts';

export interface ItemStep {
  readonly batchId: string;
  readonly position: number;
  readonly stage: ItemStage;
  readonly range: StageRange;
  /** What is done of the stage: by which of its parts, and which share of the stage, 0-1. */
  readonly done: { readonly part: number; readonly share: number };
  /** null while it is not known. */
  readonly audioSeconds: number | null;
}

/** Repeating a step changes nothing; one of an earlier stage that comes late is ignored. */
export async function noteProgress(db: Db, step: ItemStep): Promise<void> {
  const { batchId, position, stage, range, done, audioSeconds } = step;
  const order = sql`${[...itemStages]}::text[]`;
  const isLater = sql`array_position(${order}, known.stage)
    <= array_position(${order}, excluded.stage)`;
  const parts = JSON.stringify({ [done.part]: done.share });
  await sql`
    INSERT INTO item_progress AS known
      (batch_id, position, stage, range_from, range_to, done, audio_seconds)
    VALUES (${batchId}, ${position}::int, ${stage}, ${range.from}::real, ${range.to}::real,
      ${parts}::jsonb, ${audioSeconds}::float8)
    ON CONFLICT (batch_id, position) DO UPDATE SET stage = excluded.stage,
      range_from = excluded.range_from, range_to = excluded.range_to,
      done = CASE WHEN known.stage = excluded.stage THEN known.done || excluded.done
        ELSE excluded.done END,
      audio_seconds = coalesce(excluded.audio_seconds, known.audio_seconds)
    WHERE ${isLater}`.execute(db);
}

/** 0-1 of the whole, for a row of `item_progress`; null without one. */
export const shareDone = sql<number | null>`range_from + (range_to - range_from)
  * least(1, (SELECT sum(value::float8) FROM jsonb_each_text(done)))`;
