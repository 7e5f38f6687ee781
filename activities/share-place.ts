// An activity's place in its worker: what one organization starts never keeps another's waiting.
import type { FairLine } from '../models/fairness/fair-line.ts';
import type { ActivityRun } from './run-activity.ts';

/** So long an activity of the queue keeps one of the worker's few slots that are no places. */
const patienceMs = 1_000;

/**
 * Runs `body` with a place of its organization. What is in a workflow task waits for one; what
 * comes from a queue goes back to it after a while, where the organizations are told apart.
 * @throws LineTooLong, or what `body` throws
 */
export async function sharePlace<T>(
  line: FairLine,
  organizationId: string,
  { run, body }: { readonly run: ActivityRun; readonly body: () => Promise<T> },
): Promise<T> {
  const { signal, local } = run;
  const leave = await line.enter(organizationId, { signal, ...(!local && { patienceMs }) });
  try {
    return await body();
  } finally {
    leave();
  }
}
