// Today's workflows as the runner bundled them, run with steps that a test chooses.
import { readFile } from 'node:fs/promises';
import { Client } from '@temporalio/client';
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
import { applyPatches, type Patch } from './patches.ts';
import { connectPatiently } from './patience.ts';

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

const bundleFile = 'the bundle of the workflows';

/** Steps without heartbeats run once, however long a test holds them, or a machine stalls. */
export const patientHeartbeats: readonly Patch[] = [
  { file: bundleFile, from: "heartbeatTimeout = '10s'", to: "heartbeatTimeout = '10m'" },
];

async function patchedBundle(patches: readonly Patch[]): Promise<WorkflowBundleOption> {
  const bundle = await workflowBundle();
  if (patches.length === 0) return bundle;
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  return { code: applyPatches(code, patches) };
}

/**
 * Workers on queues of their own, until the clean-up.
 * @param patches of the bundle of the workflows
 */
export async function startWorkflowWorkers(
  t: Cleanup,
  taskQueue: string,
  activities: NonNullable<WorkerOptions['activities']>,
  patches: readonly Patch[] = [],
): Promise<Client> {
  const address = testServers().temporalAddress;
  const native = await NativeConnection.connect({ address });
  const connection = await connectPatiently(address);
  const common = { connection: native, activities };
  const workers = await Promise.all([
    Worker.create({ ...common, taskQueue, workflowBundle: await patchedBundle(patches) }),
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
