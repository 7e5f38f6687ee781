// Entry point of the batch worker: workflows, activities, decoder and inference processes.
import { fileURLToPath } from 'node:url';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { openDatabase } from '../db/database.ts';
import { openObjectStore } from '../db/object-store.ts';
import { createSecretBox } from '../db/secret-box.ts';
import { createFairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { InferencePool } from '../models/inference/jobs.ts';
import { createInferencePool } from '../models/inference/pool.ts';
import { inferenceCode } from '../models/inference/process.ts';
import { bulkQueue, inferenceQueue, streamQueue, webhookQueue } from '../workflows/ids.ts';
import { createBatchWorkflows } from '../api/batches/batch-workflows.ts';
import { temporalLine } from './process/temporal-line.ts';
import { createRegistry, metricsAddress, serveMetrics } from './process/metrics.ts';
import { storageOf } from './process/service-config.ts';
import { readWorkerConfig, type WorkerConfig } from './process/worker-config.ts';
import { startTracing, type Tracing } from './process/tracing.ts';
import { parseNetworks } from '../api/webhooks/receiver.ts';
import { sendWebhook } from '../api/webhooks/send.ts';
import { createDecoder } from '../activities/decoder/decoder.ts';
import { decoderCode } from '../activities/decoder/process.ts';
import type { ActivityDependencies, WorkflowState } from '../activities/dependencies.ts';
import { createActivities } from '../activities/index.ts';
import { logIsolation } from './process/log-isolation.ts';
import { installLogger } from './process/worker-logger.ts';
import { createWorkerMetrics } from '../activities/metrics.ts';
import { createStreamActivities } from '../activities/stream-activities.ts';
import { ensureSweepSchedule } from './process/sweep-schedule.ts';
import { affectOf } from '../models/affect/models.ts';

/** Concurrently opened recordings: each streams, but each also needs a decoder and a buffer. */
const openRecordings = 16;
const decoderProcesses = 2;
/** Concurrently opened recordings of batches. */
const openBulkRecordings = 8;
const webhookSenders = 32;
/**
 * Activity slots beyond the fair slots: an activity has to be taken from the queue before it can be
 * admitted beside a flood, and the end of a recording needs no fair slot.
 */
const spareSlots = 4;
/**
 * Concurrent workflow tasks, which include the opening of small uploads: far more than one
 * organization may start.
 */
const openRequests = 400;
/** A cancelled activity learns of it with its next heartbeat. */
const heartbeatThrottle = '1s';
/** Long enough for a chunk; another worker takes over what is longer. */
const shutdownGraceTime = '20s';

async function main(): Promise<void> {
  const logger = installLogger('batch-worker');
  const config = readWorkerConfig(process.env);
  logger.level = config.SVC_LOG_LEVEL;
  const tracing = await startTracing('batch-worker', process.env);
  logIsolation(logger, 'decoders', decoderCode);
  logIsolation(logger, 'inference', inferenceCode(config.SVC_MODELS_DIR));
  const registry = createRegistry('batch-worker');
  const metrics = createWorkerMetrics(registry);
  const pool = createInferencePool({
    modelsDirectory: config.SVC_MODELS_DIR,
    processes: config.SVC_INFERENCE_PROCESSES,
    onJob: metrics.job,
  });
  const temporaryDirectory = config.SVC_TEMPORARY_DIR;
  const decoders = { processes: decoderProcesses, directory: temporaryDirectory };
  const [decoder, bulkDecoder] = [createDecoder(decoders), createDecoder(decoders)];
  const db = openDatabase(config.DATABASE_URL);
  const objects = openObjectStore(storageOf(config));
  const connection = await Connection.connect(temporalLine(config.TEMPORAL_ADDRESS));
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const webhookNetworks = parseNetworks(config.SVC_WEBHOOK_NETWORKS);
  const dependencies: ActivityDependencies = {
    db,
    objects,
    pool,
    decoder,
    metrics,
    openings: createFairSemaphore(openRecordings),
    spans: createFairSemaphore(spansOf(pool)),
    senders: createFairSemaphore(webhookSenders),
    priority: 1,
    affect: affectOf,
    temporaryDirectory,
    workflowState: (id) => describe(client, id),
    batches: createBatchWorkflows(client, config.SVC_TASK_QUEUE),
    secretBox: config.SVC_SECRETS_KEY ? createSecretBox(config.SVC_SECRETS_KEY) : null,
    sendWebhook: (message) => sendWebhook(message, webhookNetworks),
  };
  const bulk = {
    ...dependencies,
    openings: createFairSemaphore(openBulkRecordings),
    spans: createFairSemaphore(spansOf(pool)),
    decoder: bulkDecoder,
    priority: 3,
  } as const;
  const [workers] = await Promise.all([
    createWorkers(config, { dependencies, bulk, tracing }),
    // Polling before the models are loaded would only make callers wait.
    pool.ready(),
    decoder.ready(),
    bulkDecoder.ready(),
    ensureSweepSchedule(client, config.SVC_TASK_QUEUE),
    serveMetrics(registry, metricsAddress(config)),
  ]);
  logger.info({ taskQueue: config.SVC_TASK_QUEUE, processes: pool.size }, 'batch worker ready');
  try {
    // Each worker ends on SIGINT or SIGTERM, when its activities are done or the grace time is
    // over.
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    await Promise.all([pool.close(), decoder.close(), bulkDecoder.close()]);
    await Promise.all([db.destroy(), connection.close(), tracing.stop()]);
    objects.close();
  }
}

/** Interactive and bulk work; bulk never takes a slot of the interactive lane. */
interface Lanes {
  readonly dependencies: ActivityDependencies;
  readonly bulk: ActivityDependencies;
  readonly tracing: Tracing;
}

async function createWorkers(
  config: WorkerConfig,
  { dependencies, bulk, tracing }: Lanes,
): Promise<readonly Worker[]> {
  const connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
  const plugins = [...tracing.plugins];
  const { logger } = Runtime.instance();
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, plugins, logger });
  const common = {
    connection,
    plugins,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime,
    maxHeartbeatThrottleInterval: heartbeatThrottle,
    defaultHeartbeatThrottleInterval: heartbeatThrottle,
    // The sticky queue of a lost worker delays its workflows by this time.
    stickyQueueScheduleToStartTimeout: '1s',
  } as const;
  const lane = async (
    taskQueue: string,
    laneDependencies: ActivityDependencies,
    opened: number,
  ): Promise<readonly Worker[]> => {
    const activities = createActivities(laneDependencies);
    const { analyzeSpan, diarizeRecording, analyzeClips } = activities;
    const orchestration = Worker.create({
      ...common,
      taskQueue,
      workflowBundle,
      activities,
      maxConcurrentActivityTaskExecutions: opened + spareSlots,
      maxConcurrentWorkflowTaskExecutions: openRequests,
      maxConcurrentLocalActivityExecutions: openRequests,
    });
    const inference = Worker.create({
      ...common,
      taskQueue: inferenceQueue(taskQueue),
      activities: { analyzeSpan, diarizeRecording, analyzeClips },
      maxConcurrentActivityTaskExecutions: spansOf(laneDependencies.pool) + spareSlots,
    });
    return Promise.all([orchestration, inference]);
  };
  // It also serves the stream queue, so that a lost stream worker leaves no session or stream open.
  const streams = Worker.create({
    ...common,
    taskQueue: streamQueue(config.SVC_TASK_QUEUE),
    workflowBundle,
    activities: createStreamActivities(dependencies),
  });
  const { postWebhook } = createActivities(dependencies);
  const webhooks = Worker.create({
    ...common,
    taskQueue: webhookQueue(config.SVC_TASK_QUEUE),
    activities: { postWebhook },
    maxConcurrentActivityTaskExecutions: 2 * webhookSenders,
  });
  const workers = await Promise.all([
    lane(config.SVC_TASK_QUEUE, dependencies, openRecordings),
    lane(bulkQueue(config.SVC_TASK_QUEUE), bulk, openBulkRecordings),
    streams,
    webhooks,
  ]);
  return workers.flat();
}

/** Spans end at different times; a spare one per process keeps every process busy. */
function spansOf({ size }: InferencePool): number {
  return 2 * size;
}

async function describe(client: Client, workflowId: string): Promise<WorkflowState> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? 'running' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    throw error;
  }
}

// A parent that started this process with a channel and died cannot stop it any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await main();
// Native handles of the Temporal core can outlive a clean shutdown.
process.exit(0);
