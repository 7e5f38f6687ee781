// Entry point of the stream worker: sockets, prepared sessions, and its own inference processes.
import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import {
  connectTemporal,
  startTimeoutMs,
  workerConnectionOptions,
} from './process/temporal-connection.ts';
import { cannotListen } from './process/listen-problem.ts';
import { createRegistry, serveProbes } from './process/probes.ts';
import { temporalOf } from './settings/temporal-config.ts';
import { startTracing } from './process/tracing.ts';
import { setV8Flags } from './process/v8-flags.ts';
import { openDatabase } from '../db/database.ts';
import { createKeyLeases } from '../db/key-leases.ts';
import { createFairGate } from '../models/fairness/fair-gate.ts';
import { createFairSemaphore } from '../models/fairness/fair-semaphore.ts';
import { createInferencePool } from '../models/inference/pool.ts';
import { inferenceCode } from '../models/inference/process.ts';
import { returnFreedMemory } from '../models/memory/return-freed.ts';
import { hostQueue, streamQueue } from '../workflows/ids.ts';
import {
  inferenceOf,
  readStreamWorkerConfig,
  type StreamWorkerConfig,
} from './settings/worker-config.ts';
import { bundlesOf } from './settings/service-config.ts';
import { missingWorkers } from './process/worker-lanes.ts';
import { workflowBundle as bundleOf } from './process/workflow-bundle.ts';
import { logIsolation } from './process/log-isolation.ts';
import { runWorkers } from './process/run-workers.ts';
import { askedToStop } from './process/stop-signals.ts';
import { installLogger } from './process/worker-logger.ts';
import { createWorkerMetrics } from '../activities/metrics.ts';
import { createHostActivities } from '../activities/hold-stream.ts';
import { createStreamActivities } from '../activities/stream-activities.ts';
import { createStartGate } from '../models/fairness/start-gate.ts';
import { readRealtimeOpening } from '../api/realtime/opening.ts';
import { serveRealtime } from '../api/realtime/serve-realtime.ts';
import { createStreamRegistry } from '../api/streams/registry.ts';
import { startStreamServer } from '../api/streams/server.ts';
import { affectOf } from '../models/affect/affect-model.ts';

/** How long an opened socket holds its start slot: with 8 slots, 32 sockets open per second. */
const openingMs = 250;
/** Time for recordings in progress when the process is asked to stop. */
const graceMs = 20_000;
/** Time for what their sockets leave to be reported to Temporal. */
const reportingMs = 5_000;

/**
 * With the default, eight of the ten seconds after which a socket counts as lost, it would be when
 * Temporal is away for little more than two.
 */
const heartbeatThrottle = '3s';

async function main(): Promise<void> {
  let isStopping = false;
  const asked = askedToStop().then(() => void (isStopping = true));
  const logger = installLogger('stream-worker');
  const config = readStreamWorkerConfig(process.env);
  logger.level = config.SVC_LOG_LEVEL;
  const { SVC_TASK_QUEUE: taskQueue } = config;
  const tracing = await startTracing('stream-worker', process.env);
  const plugins = [...tracing.plugins];
  logIsolation(logger, 'inference', inferenceCode(config.SVC_MODELS_DIR));
  const probed = createRegistry('stream-worker');
  const metrics = createWorkerMetrics(probed);
  const pool = createInferencePool({ ...inferenceOf(config), onJob: metrics.job });
  let workers: readonly Worker[] = [];
  const missing = (): string | null =>
    isStopping ? 'process (stopping)' : missingWorkers(workers);
  await serveProbes({ registry: probed, missing }, config);
  const maxConnections = config.SVC_DATABASE_CONNECTIONS;
  const db = openDatabase(config.DATABASE_URL, { maxConnections });
  const leases = createKeyLeases(db);
  const connection = await connectTemporal(temporalOf(config), startTimeoutMs);
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE, plugins });
  const registry = createStreamRegistry();
  // One process stays free for what a client waits for.
  const liveTurns = createFairSemaphore(Math.max(1, pool.size - 1));
  const ownQueue = hostQueue(taskQueue, randomBytes(6).toString('hex'));
  const native = await NativeConnection.connect(workerConnectionOptions(temporalOf(config)));
  const common = { connection: native, namespace: config.TEMPORAL_NAMESPACE, plugins };
  const [workflowBundle] = await Promise.all([bundleOf(config, tracing), pool.ready()]);
  const sessions = await Worker.create({
    ...common,
    taskQueue: streamQueue(taskQueue),
    workflowBundle,
    activities: createStreamActivities({ db, metrics }),
    stickyQueueScheduleToStartTimeout: '1s',
  });
  const sockets = await Worker.create({
    ...common,
    taskQueue: ownQueue,
    activities: createHostActivities((ref) => registry.find(ref)),
    // Each open socket holds one. The gate may exceed its slots to admit organizations below their
    // share; with up to 1,000 organizations it never holds more than eight times its slots.
    maxConcurrentActivityTaskExecutions: 8 * config.SVC_MAX_STREAMS,
    ...{ shutdownGraceTime: reportingMs, maxHeartbeatThrottleInterval: heartbeatThrottle },
  });
  const server = await startStreamServer({
    db,
    client,
    taskQueue,
    hostQueue: ownQueue,
    registry,
    pool,
    ...{ affect: affectOf, bundles: bundlesOf(config), metrics },
    log: (err, requestId) => logger.error({ requestId, err }, 'stream failed'),
    commits: createFairGate(config.SVC_STREAM_COMMITS),
    ...placeOf(config),
    leases,
    gate: createFairGate(config.SVC_MAX_STREAMS),
    readRealtimeOpening,
    serveRealtime,
    acquireTurn: (organizationId, options) => liveTurns.acquire(organizationId, options),
    acquireStart: createStartGate({ slotMs: openingMs }),
  }).catch(cannotListen(placeOf(config)));
  workers = [sessions, sockets];
  logger.info({ taskQueue: ownQueue, port: server.port }, 'stream worker ready');
  process.send?.({ port: server.port });
  try {
    await runWorkers(workers, { asked, close: () => server.close(graceMs) });
  } finally {
    await leases.close();
    await Promise.all([pool.close(), db.destroy(), connection.close(), tracing.stop()]);
  }
}

function placeOf(config: StreamWorkerConfig) {
  const variables = ['SVC_STREAM_HOST', 'SVC_STREAM_PORT'] as const;
  return { host: config.SVC_STREAM_HOST, port: config.SVC_STREAM_PORT, variables };
}

setV8Flags();
returnFreedMemory();
await main();
// Native handles of the Temporal core can outlive a clean shutdown.
process.exit(0);
