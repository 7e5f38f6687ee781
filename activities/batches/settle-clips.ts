// Settles the results of a group of clips, those of some seconds together.
import { settleAll } from '../../db/settlement.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { countCompleted, indexResults, type StoredResult } from '../settle-recording.ts';
import { accepted } from './item-rejections.ts';

/**
 * Most groups end within seconds and are settled at once, as it costs transactions. Where callers
 * take the machine, a group may take longer than its step has time.
 */
const settlingIntervalMs = 10_000;

export interface ClipSettlement {
  /** Settles what has been added, if the last time was a while ago. */
  add(result: StoredResult): Promise<void>;
  /** Settles the rest. */
  end(): Promise<void>;
}

/** Each result is settled once; an item whose debit is refused ends as failed. */
export function openSettlement(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
): ClipSettlement {
  let settledAt = performance.now();
  let unsettled: StoredResult[] = [];
  const settle = async (): Promise<void> => {
    const results = unsettled;
    unsettled = [];
    settledAt = performance.now();
    await indexResults(dependencies, results);
    const settled = await accepted(dependencies, results, {
      step: settleAll,
      usage: (result) => result.billableSeconds,
    });
    for (const result of settled) countCompleted(dependencies, result);
  };
  return {
    async add(result) {
      unsettled.push(result);
      if (performance.now() - settledAt >= settlingIntervalMs) await settle();
    },
    end: settle,
  };
}
