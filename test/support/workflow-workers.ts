// Today's workflows as the runner bundled them, run with steps that a test chooses.
import { Client, Connection } from '@temporalio/client';
import {
  NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { workflowBundle as bundleOf } from '../../bin/process/workflow-bundle.ts';
import { inferenceQueue, webhookQueue } from '../../workflows/ids.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import type { Cleanup } from './cleanup.ts';
import { testServers } from './environment.ts';

export function workflowBundle(): ReturnType<typeof bundleOf> {
  return bundleOf(process.env, { plugins: [] });
}

/** Too large to be opened within a workflow task. */
export const largeRecording = {
  organizationId: 'org_1',
  requestId: 'request',
  attempt: 1,
  task: 'transcription',
  model: 'svc-resonance',
  options: { diarize: false },
  upload: { key: 'uploads/1', container: 'wav', bytes: 10_000_000, sha256: null },
} as unknown as AnalyzeRecordingInput;

/**
 * Workers on queues of their own, until the clean-up.
 * @param bundle absent: today's workflows
 */
export async function startWorkflowWorkers(
  t: Cleanup,
  taskQueue: string,
  activities: NonNullable<WorkerOptions['activities']>,
  bundle?: WorkflowBundleOption,
): Promise<Client> {
  const address = testServers().temporalAddress;
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const common = { connection: native, activities };
  const workers = await Promise.all([
    Worker.create({ ...common, taskQueue, workflowBundle: bundle ?? (await workflowBundle()) }),
    Worker.create({ ...common, taskQueue: inferenceQueue(taskQueue) }),
    Worker.create({ ...common, taskQueue: webhookQueue(taskQueue) }),
  ]);
  const running = workers.map((worker) => worker.run());
  t.teardown(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await Promise.all([native.close(), connection.close()]);
  });
  return new Client({ connection });
}
