// What ends an item of a group as failed while the others go on.
import { log } from '@temporalio/activity';
import type { reserveAll } from '../../db/settlement.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { describeRejection } from '../failures.ts';
import { recordFailure } from '../record-failure.ts';

/**
 * Ends the item after a failure that its recording caused; every other error is thrown.
 * @returns what `work` does, null when the item has ended
 */
export async function failingItemOnRejection<T>(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  recording: AnalyzeRecordingInput,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const rejection = describeRejection(error);
    if (!rejection) throw error;
    if (rejection.code === 'internal_error') {
      log.error('item failed', { requestId: recording.requestId, error });
    }
    await recordFailure(dependencies, recording, rejection);
    return null;
  }
}

interface LedgerStep<T> {
  readonly step: typeof reserveAll;
  readonly usage: (of: T) => number;
}

/** The entries that the ledger accepts; the items of the others end as failed. */
export async function accepted<T extends { readonly recording: AnalyzeRecordingInput }>(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  group: readonly T[],
  { step, usage }: LedgerStep<T>,
): Promise<readonly T[]> {
  if (group.length === 0) return [];
  const { organizationId } = group[0]!.recording;
  const attempts = group.map((each) => {
    const { requestId, attempt } = each.recording;
    return { requestId, attempt, seconds: usage(each) };
  });
  const outcome = await step(dependencies.db, { organizationId, attempts });
  for (const [i, rejected] of outcome.entries()) {
    const rejection = rejected && describeRejection(rejected);
    if (rejection) await recordFailure(dependencies, group[i]!.recording, rejection);
  }
  return group.filter((_, i) => !outcome[i]);
}
