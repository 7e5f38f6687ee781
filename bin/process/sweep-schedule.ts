// The schedule that runs the sweeper, made by whichever worker starts first.
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { sweepWorkflowId } from '../../workflows/ids.ts';

export async function ensureSweepSchedule(client: Client, taskQueue: string): Promise<void> {
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
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
