// What the sweeper asks Temporal: whether a workflow goes on.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { WorkflowState } from '../../activities/dependencies.ts';

export async function workflowState(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
): Promise<WorkflowState> {
  try {
    const { status } = await workflow.getHandle(workflowId).describe();
    // A paused one goes on once an operator says so.
    return status.name === 'RUNNING' || status.name === 'PAUSED' ? 'running' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    throw error;
  }
}
