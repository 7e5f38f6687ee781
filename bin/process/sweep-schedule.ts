// The schedule that runs the sweeper, made by set-up or by whichever worker starts first.
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { sweepWorkflowId } from '../../workflows/ids.ts';

/** @returns whether it was made now */
export async function ensureSweepSchedule(client: Client, taskQueue: string): Promise<boolean> {
  try {
    await client.schedule.create({
      scheduleId: `${taskQueue}-${sweepWorkflowId}`,
      spec: { intervals: [{ every: '1m' }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepLeftovers',
        workflowId: `${taskQueue}-${sweepWorkflowId}`,
        taskQueue,
        staticSummary: 'Delete what crashes left behind',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
    });
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    return false;
  }
}
