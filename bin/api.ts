// Entry point of the API process.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { listenForCompletions } from '../db/completions.ts';
import { openDatabase } from '../db/database.ts';
import { openRecordedStore } from '../db/late-writes.ts';
import { createKeyLeases } from '../db/key-leases.ts';
import { bundlesOf } from './settings/service-config.ts';
import { createFairGate } from '../models/fairness/fair-gate.ts';
import { createApp } from '../api/app.ts';
import { createBatchParser } from '../api/batches/batch-parser.ts';
import { createBatchWorkflows } from '../api/batches/batch-workflows.ts';
import { createBatchFeed } from '../api/batches/feed.ts';
import { readApiConfig } from './settings/api-config.ts';
import { openProcessLog } from './process/logger.ts';
import { registerBacklog } from './process/backlog.ts';
import { registerUpkeep } from './process/upkeep.ts';
import { createRegistry, serveProbes } from './process/probes.ts';
import { storageOf } from './settings/storage-config.ts';
import { temporalOf } from './settings/temporal-config.ts';
import { askedToStop, endBy } from './process/stop-signals.ts';
import { setV8Flags } from './process/v8-flags.ts';
import { createReadiness } from '../api/health/readiness.ts';
import { createResultWriter } from '../api/results/result-writer.ts';
import { createRuns } from '../api/runs/runs.ts';
import { createWorkflowRuns } from '../api/runs/workflow-runs.ts';
import { createCredentialFailures } from '../api/http/credential-failures.ts';
import { createRequestThrottle } from '../api/http/request-throttle.ts';
import { upgradeMetrics } from '../api/http/metrics.ts';
import { createGracefulClose } from '../api/http/graceful-close.ts';
import { createHttpServer } from '../api/http/server.ts';
import { createPreparedSessions } from '../api/sessions/prepared-sessions.ts';
import { createSessionWorkflows } from '../api/sessions/session-workflows.ts';
import { forwardUpgrades, parseStreamAddress } from '../api/streams/forward.ts';
import { findOrganization } from '../api/streams/upgrade-secret.ts';
import { clientConnectionOptions } from './process/temporal-connection.ts';
import { cannotListen } from './process/listen-problem.ts';
import { openSecretBox } from './process/open-secret-box.ts';
import { startTracing } from './process/tracing.ts';
import { farewellMs } from '../api/streams/timeouts.ts';
import { defaultUploadDeadlines } from '../api/http/deadlines.ts';
import { createBodyGates } from '../api/http/body-slots.ts';
import { parseNetworks } from '../api/http/networks.ts';

/** Time for requests in progress when the process is asked to stop. */
const drainMs = 25_000;
/** The end of it, in which callers who still wait are told why they get no result. */
const answeringMs = 4_000;

const hurry = new AbortController();
const asked = askedToStop((signal) => (hurry.signal.aborted ? endBy(signal) : hurry.abort()));
setV8Flags();
const logger = openProcessLog('api');
const config = readApiConfig(process.env);
logger.level = config.SVC_LOG_LEVEL;
const tracing = await startTracing('api', process.env);
const db = openDatabase(config.DATABASE_URL, {
  maxConnections: config.SVC_DATABASE_CONNECTIONS,
});
const leases = createKeyLeases(db);
const completions = listenForCompletions(config.DATABASE_URL);
const objects = openRecordedStore(db, storageOf(config));
const temporal = temporalOf(config);
const connection = Connection.lazy(clientConnectionOptions(temporal));
const { namespace } = temporal;
const taskQueue = config.SVC_TASK_QUEUE;
const client = new Client({ connection, namespace, plugins: [...tracing.plugins] });
const metrics = createRegistry('api');
const runs = createRuns({
  db,
  objects,
  workflows: createWorkflowRuns(client, taskQueue),
  completions,
  answerDeadlineMs: config.SVC_ANSWER_DEADLINE_SECONDS * 1_000,
  spectraRuns: createFairGate(config.SVC_SPECTRA_RUNS),
});
const credentialFailures = createCredentialFailures();
const trustedProxies = parseNetworks(config.SVC_TRUSTED_PROXIES);
const readiness = createReadiness({ db, objects, client, namespace, taskQueue, logger });
const throttle = createRequestThrottle();
const batchFeed = createBatchFeed(db);
const app = createApp({
  credentialFailures,
  throttle,
  metrics,
  db,
  objects,
  leases,
  logger,
  runs,
  readiness,
  bundles: bundlesOf(config),
  uploadDeadlines: defaultUploadDeadlines,
  bodies: createBodyGates(),
  spectraUploads: createFairGate(config.SVC_SPECTRA_UPLOADS),
  sessions: createPreparedSessions({
    db,
    workflows: createSessionWorkflows(client, taskQueue),
    setUps: createFairGate(config.SVC_SESSION_SETUPS),
    enabled: config.SVC_PREPARED_SESSIONS,
  }),
  batches: createBatchWorkflows(client, taskQueue),
  batchParser: createBatchParser(),
  batchFeed,
  resultWriter: createResultWriter(),
  secretBox: openSecretBox(db, config.SVC_SECRETS_KEY, logger),
  webhookNetworks: parseNetworks(config.SVC_WEBHOOK_NETWORKS),
  sourceNetworks: parseNetworks(config.SVC_SOURCE_NETWORKS),
  webhookProxy: config.HTTPS_PROXY ?? null,
  trustedProxies,
  directStreaming: config.SVC_DIRECT_STREAMING,
  publicUrl: config.SVC_PUBLIC_URL ?? null,
});
const server = createHttpServer(app, {
  connections: {
    max: config.SVC_MAX_CONNECTIONS,
    maxPerAddress: config.SVC_MAX_CONNECTIONS_PER_ADDRESS,
    trustedProxies,
  },
});
const connections = createGracefulClose(server);
const streams = forwardUpgrades(server, {
  address: parseStreamAddress(config.SVC_STREAM_ADDRESS),
  credentialFailures,
  trustedProxies,
  throttle,
  findOrganization: (secret) => findOrganization(db, secret),
  logger,
  answered: upgradeMetrics(metrics),
});
registerUpkeep(metrics, db);
registerBacklog(metrics, { workflowService: connection.workflowService, namespace, taskQueue });
await serveProbes(
  { registry: metrics, missing: async () => (await readiness.report('api')).missing },
  config,
);
const place = { host: config.SVC_HOST, port: config.SVC_PORT };
server.listen(place);
const variables = ['SVC_HOST', 'SVC_PORT'] as const;
await once(server, 'listening').catch(cannotListen({ ...place, variables }));
const { address, port } = server.address() as AddressInfo;
logger.info({ address, port }, 'listening');
// A parent that forked this process with a port of 0 learns the actual port.
process.send?.({ port });

/** Serves on while proxies notice that it is leaving; the same signal again ends the wait. */
const leave = async (): Promise<void> => {
  readiness.leave();
  connections.leave();
  await sleep(config.SVC_DRAIN_SECONDS * 1_000, null, { signal: hurry.signal }).catch(() => {});
};

await asked;
await leave();
const closed = once(server, 'close');
connections.close();
batchFeed.close();
setTimeout(() => runs.close(), drainMs - answeringMs).unref();
setTimeout(() => streams.leave(), drainMs - farewellMs).unref();
setTimeout(() => {
  server.closeAllConnections();
  streams.close();
}, drainMs).unref();
await closed;
runs.close();
await leases.close();
await Promise.all([db.destroy(), completions.close(), connection.close(), tracing.stop()]);
objects.close();
process.exit(0);
