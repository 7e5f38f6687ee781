// Entry point of the batch worker: workflows, activities, decoder and inference processes.
import { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { openDatabase } from '../db/database.ts';
import { openRecordedStore } from '../db/late-writes.ts';
import { createFairSemaphore } from '../models/fairness/fair-semaphore.ts';
import { createInferencePool } from '../models/inference/pool.ts';
import { inferenceCode } from '../models/inference/process.ts';
import { returnFreedMemory } from '../models/memory/return-freed.ts';
import { createBatchWorkflows } from '../api/batches/batch-workflows.ts';
import { connectTemporal, startTimeoutMs } from './process/temporal-connection.ts';
import { createRegistry, serveProbes } from './process/probes.ts';
import { storageOf } from './settings/storage-config.ts';
import { temporalOf } from './settings/temporal-config.ts';
import { inferenceOf, readWorkerConfig } from './settings/worker-config.ts';
import { createWorkers, missingWorkers } from './process/worker-lanes.ts';
import {
  createOpenings,
  createPaces,
  openBulkRecordings,
  openRecordingsOf,
  sourceFetchers,
  spansOf,
  webhookSenders,
} from './process/worker-capacity.ts';
import { openSecretBox } from './process/open-secret-box.ts';
import { startTracing } from './process/tracing.ts';
import { setV8Flags } from './process/v8-flags.ts';
import { parseNetworks } from '../api/http/networks.ts';
import { fetchSource } from '../api/sources/fetch-source.ts';
import { sendWebhook } from '../api/webhooks/send.ts';
import { createDecoder } from '../activities/decoder/decoder.ts';
import { decoderCode } from '../activities/decoder/process.ts';
import { openProcessFolder } from '../activities/decoder/process-folder.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { logIsolation } from './process/log-isolation.ts';
import { runWorkers } from './process/run-workers.ts';
import { askedToStop } from './process/stop-signals.ts';
import { installLogger } from './process/worker-logger.ts';
import { workflowState } from './process/workflow-state.ts';
import { createWorkerMetrics } from '../activities/metrics.ts';
import { ensureSweepSchedule } from './process/sweep-schedule.ts';
import { affectOf } from '../models/affect/affect-model.ts';

const decoderProcesses = 2;
/** Decoding for callers who wait takes precedence over decoding for batches. */
const bulkDecoderNiceness = 15;

async function main(): Promise<void> {
  const asked = askedToStop();
  const logger = installLogger('batch-worker');
  const config = readWorkerConfig(process.env);
  logger.level = config.SVC_LOG_LEVEL;
  const tracing = await startTracing('batch-worker', process.env);
  logIsolation(logger, 'decoders', decoderCode);
  logIsolation(logger, 'inference', inferenceCode(config.SVC_MODELS_DIR));
  const registry = createRegistry('batch-worker');
  const metrics = createWorkerMetrics(registry);
  const pool = createInferencePool({ ...inferenceOf(config), onJob: metrics.job });
  const folder = await openProcessFolder(config.SVC_TEMPORARY_DIR, (err, path) =>
    logger.warn({ err, path }, 'a temporary folder was not removed, or is not when this is killed'),
  );
  const { decoder, bulkDecoder } = startDecoders(folder.path);
  let workers: readonly Worker[] = [];
  await serveProbes({ registry, missing: () => missingWorkers(workers) }, config);
  const maxConnections = config.SVC_DATABASE_CONNECTIONS;
  const db = openDatabase(config.DATABASE_URL, { maxConnections });
  const objects = openRecordedStore(db, storageOf(config));
  const connection = await connectTemporal(temporalOf(config), startTimeoutMs);
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const proxy = config.HTTPS_PROXY ?? null;
  const egress = { networks: parseNetworks(config.SVC_WEBHOOK_NETWORKS), proxy };
  const sources = { networks: parseNetworks(config.SVC_SOURCE_NETWORKS), proxy };
  const dependencies: ActivityDependencies = {
    db,
    objects,
    pool,
    decoder,
    metrics,
    ...createPaces(),
    ...createOpenings(openRecordingsOf(pool)),
    spans: createFairSemaphore(spansOf(pool)),
    senders: createFairSemaphore(webhookSenders),
    priority: 1,
    affect: affectOf,
    temporaryDirectory: folder.path,
    workflowState: (id) => workflowState(client, id),
    batches: createBatchWorkflows(client, config.SVC_TASK_QUEUE),
    secretBox: openSecretBox(db, config.SVC_SECRETS_KEY, logger),
    sendWebhook: (message) => sendWebhook(message, egress),
    fetchSource: (fetch) => fetchSource(fetch, sources),
    fetchers: createFairSemaphore(sourceFetchers),
  };
  const bulk = {
    ...dependencies,
    ...createOpenings(openBulkRecordings),
    spans: createFairSemaphore(spansOf(pool)),
    decoder: bulkDecoder,
    priority: 3,
  } as const;
  const [created] = await Promise.all([
    createWorkers(config, { dependencies, bulk, tracing }),
    // Polling before the models are loaded would accept work that has to wait.
    pool.ready(),
    decoder.ready(),
    bulkDecoder.ready(),
    ensureSweepSchedule(client, config.SVC_TASK_QUEUE),
  ]);
  workers = created;
  logger.info({ taskQueue: config.SVC_TASK_QUEUE, processes: pool.size }, 'batch worker ready');
  try {
    // Each worker ends when its activities are done or the grace time is over.
    await runWorkers(workers, { asked, close: () => Promise.resolve() });
  } finally {
    await Promise.all([pool.close(), decoder.close(), bulkDecoder.close()]);
    await Promise.all([db.destroy(), connection.close(), tracing.stop()]);
    objects.close();
    await folder.close();
  }
}

function startDecoders(directory: string) {
  const shared = { processes: decoderProcesses, directory };
  const decoder = createDecoder(shared);
  // Nobody waits for a batch's first file.
  const bulkDecoder = createDecoder({ ...shared, ahead: 0, niceness: bulkDecoderNiceness });
  return { decoder, bulkDecoder };
}

setV8Flags();
returnFreedMemory();
await main();
// Native handles of the Temporal core can outlive a clean shutdown.
process.exit(0);
