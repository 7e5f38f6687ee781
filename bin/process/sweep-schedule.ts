// The schedule that runs the sweeper, created by set-up or by the first worker that starts.
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { sweepWorkflowId } from '../../workflows/ids.ts';
import { untilKnown } from './known-namespace.ts';

/** @returns whether this call created it */
export async function ensureSweepSchedule(client: Client, taskQueue: string): Promise<boolean> {
  try {
    const options: ScheduleOptions = {
      scheduleId: `${taskQueue}-${sweepWorkflowId}`,
      spec: { intervals: [{ every: '1m' }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepLeftovers',
        workflowId: `${taskQueue}-${sweepWorkflowId}`,
        taskQueue,
        staticSummary: 'Delete orphans of crashed processes',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
    };
    // Workers start right after set-up has created the namespace.
    await untilKnown(() => client.schedule.create(options));
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    return false;
  }
}
