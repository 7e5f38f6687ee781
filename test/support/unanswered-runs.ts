// Runs whose workflows start as a test chooses, and have no result.
import { createRuns } from '../../api/runs/runs.ts';
import type { WorkflowRuns } from '../../api/runs/workflow-runs.ts';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { createFairGate } from '../../models/fairness/fair-gate.ts';
import type { Cleanup } from './cleanup.ts';

interface UnansweredRuns extends Pick<WorkflowRuns, 'start'> {
  readonly db: Db;
  readonly objects: ObjectStore;
}

/** Closed by the clean-up. */
export function unansweredRuns(
  t: Cleanup,
  { db, objects, start }: UnansweredRuns,
): ReturnType<typeof createRuns> {
  const runs = createRuns({
    ...{ db, objects, answerDeadlineMs: 600_000, spectraRuns: createFairGate(1) },
    workflows: { start, result: () => Promise.reject(new Error('none was started')) },
    completions: { next: () => ({ completed: new Promise(() => {}), stop: () => {} }) },
  } as unknown as Parameters<typeof createRuns>[0]);
  t.teardown(() => runs.close());
  return runs;
}
