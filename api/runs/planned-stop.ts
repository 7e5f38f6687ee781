// Requests whose callers still wait when the API has to end: they end too, and cost nothing.
import type { WorkflowHandle } from '@temporalio/client';
import type { Db } from '../../db/database.ts';
import type { ClaimRef } from '../../db/request-ref.ts';
import { failRequest, requestState } from '../../db/requests.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { WorkInHand } from './work-in-hand.ts';
import type { WorkflowRuns } from './workflow-runs.ts';

const message =
  'The service is being replaced; nothing was charged, send it again with the same id.';

/** What a caller gets who still waits when the process ends. */
export class PlannedStop extends ServiceError {
  constructor() {
    super('not_ready', message);
  }
}

export interface Unanswered {
  readonly db: Db;
  readonly workflows: Pick<WorkflowRuns, 'terminate'>;
  readonly ref: ClaimRef;
  readonly handle: WorkflowHandle;
}

/**
 * Ends the attempt before it is charged: answers are not kept, so its caller could have paid for
 * one that nobody gets. The workflow is terminated and not cancelled, because its id is needed for
 * the next attempt while workers may be stopping too; the sweeper deletes its objects.
 * @returns when the request is completed and charged, so that its result is to be delivered
 * @throws PlannedStop when it has ended without
 * @throws WorkInHand when it is unknown how it ends
 */
export async function endUnanswered({ db, workflows, ref, handle }: Unanswered): Promise<void> {
  const isEnded = await failUnlessEnded(db, ref);
  if (isEnded) await workflows.terminate(handle, 'The API stopped before the answer.');
  else if ((await requestState(db, ref)) === 'completed') return;
  throw new PlannedStop();
}

async function failUnlessEnded(db: Db, ref: ClaimRef): Promise<boolean> {
  try {
    return await failRequest(db, ref, { code: 'not_ready', message, param: null });
  } catch (cause) {
    const unknown = 'The service is being replaced; it is not known whether the analysis goes on.';
    throw new WorkInHand('not_ready', unknown, { cause });
  }
}
