// What an activity has done of a long item, for people who wait for its batch.
import { noteProgress } from '../../db/item-progress.ts';
import { stageRange, type ItemStage } from '../../models/contract/item-progress.ts';
import type { AudioLength } from '../../models/contract/billing.ts';
import type { RecordingInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface ReportedStage {
  readonly stage: ItemStage;
  /** Absent while it is not known. */
  readonly audio?: AudioLength;
  /** The number of the part of the stage that reports; 0 where it has one. */
  readonly part?: number;
}

interface Reported extends Pick<RecordingInput, 'batch'> {
  readonly options: Pick<RecordingInput['options'], 'diarize'>;
}

/**
 * @returns reports the share of the stage, 0-1, that this part of it has done; it never fails,
 *   because the analysis does not depend on it. Recordings that a caller waits for report nothing.
 */
export function itemReport(
  { db }: Pick<ActivityDependencies, 'db'>,
  { batch, options }: Reported,
  { stage, audio, part = 0 }: ReportedStage,
): (share: number) => Promise<void> {
  if (!batch) return () => Promise.resolve();
  const { id: batchId, position } = batch;
  const range = stageRange(stage, options);
  const audioSeconds = audio ? audio.sourceSamples / audio.sourceRate : null;
  return async (share) => {
    const done = { part, share };
    const step = { batchId, position, stage, range, done, audioSeconds };
    await noteProgress(db, step).catch(() => {});
  };
}
