// The whole service on real parts: a database, a bucket and a task queue of its own.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { createApp } from '../../api/app.ts';
import { createReadiness } from '../../api/health/readiness.ts';
import { createLogger } from '../../bin/process/logger.ts';
import { createRegistry } from '../../bin/process/probes.ts';
import { createBatchParser } from '../../api/batches/batch-parser.ts';
import { createBatchWorkflows } from '../../api/batches/batch-workflows.ts';
import { createBatchFeed } from '../../api/batches/feed.ts';
import { parseNetworks } from '../../api/http/networks.ts';
import { createCredentialFailures } from '../../api/http/credential-failures.ts';
import { createRequestThrottle } from '../../api/http/request-throttle.ts';
import { createResultWriter } from '../../api/results/result-writer.ts';
import { createRuns } from '../../api/runs/runs.ts';
import { createWorkflowRuns } from '../../api/runs/workflow-runs.ts';
import { createHttpServer } from '../../api/http/server.ts';
import { createPreparedSessions } from '../../api/sessions/prepared-sessions.ts';
import { createSessionWorkflows } from '../../api/sessions/session-workflows.ts';
import { forwardUpgrades } from '../../api/streams/forward.ts';
import { findOrganization } from '../../api/streams/upgrade-secret.ts';
import { defaultUploadDeadlines } from '../../api/http/deadlines.ts';
import { createBodyGates } from '../../api/http/body-slots.ts';
import { listenForCompletions } from '../../db/completions.ts';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { createKeyLeases } from '../../db/key-leases.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { defaultBundles } from './default-bundles.ts';
import { createFairGate } from '../../models/fairness/fair-gate.ts';
import type { Cleanup } from './cleanup.ts';
import { anAccount, testDatabase, type TestAccount } from './database.ts';
import { serviceEnvironment } from './environment.ts';
import { testObjectStore } from './object-store.ts';
import { connectPatiently, patientMs, patientProcesses, withoutDeadlines } from './patience.ts';
import type { Patch } from './patches.ts';
import type { StackOptions } from './stack-options.ts';
import { createProcesses } from './processes.ts';

export interface TestStack {
  readonly base: string;
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly client: Client;
  readonly taskQueue: string;
  readonly account: TestAccount;
  readonly secretsKey: string;
  startWorker(patches?: readonly Patch[]): Promise<ChildProcess>;
  startStreamWorker(patches?: readonly Patch[]): Promise<ChildProcess>;
  /** One more API process. */
  startApi(patches?: readonly Patch[]): Promise<ApiProcess>;
  /** In order of their start. */
  readonly streamWorkers: readonly ChildProcess[];
}

export interface ApiProcess {
  readonly child: ChildProcess;
  readonly base: string;
}

/** On one busy core a worker takes a minute to load its models; after 300 s `fetch` gives up. */
const slowestAnswerMs = 290_000;
/** Receivers of the tests. */
const loopback = '127.0.0.0/8';

export async function testStack(t: Cleanup, options: StackOptions = {}): Promise<TestStack> {
  const { answerDeadlineMs = slowestAnswerMs, allowanceSeconds = 36_000, worker = true } = options;
  const { patient = true } = options;
  const [{ db, url }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const secretsKey = randomBytes(32).toString('base64');
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const connection = await connectPatiently();
  if (patient) withoutDeadlines(connection);
  const client = new Client({ connection });
  const completions = listenForCompletions(url);
  t.teardown(() => completions.close());
  const leases = createKeyLeases(db);
  t.teardown(() => leases.close());
  const logger = createLogger('api', 'error', process.stderr);
  const runs = createRuns({
    db,
    objects,
    answerDeadlineMs,
    workflows: createWorkflowRuns(client, taskQueue),
    completions,
    spectraRuns: createFairGate(options.spectraRuns ?? 64),
  });
  const offloaded = patient ? { deadlineMs: patientMs } : {};
  const batchParser = createBatchParser(offloaded);
  const resultWriter = createResultWriter(offloaded);
  const credentialFailures = createCredentialFailures(options.failureLimits);
  const throttle = createRequestThrottle();
  const app = createApp({
    credentialFailures,
    throttle,
    db,
    objects,
    leases,
    logger,
    runs,
    readiness: createReadiness({ db, objects, client, taskQueue, namespace: 'default', logger }),
    uploadDeadlines: options.uploadDeadlines ?? defaultUploadDeadlines,
    bodies: { ...createBodyGates(), ...options.bodies },
    spectraUploads: createFairGate(options.spectraUploads ?? 64),
    sessions: createPreparedSessions({
      db,
      workflows: createSessionWorkflows(client, taskQueue),
      setUps: createFairGate(options.sessionSetUps ?? 32),
      enabled: options.sessions ?? true,
    }),
    metrics: createRegistry('api'),
    batches: createBatchWorkflows(client, taskQueue),
    batchParser,
    batchFeed: createBatchFeed(db, options.feedLimits),
    resultWriter,
    secretBox: createSecretBox(secretsKey),
    webhookNetworks: parseNetworks(loopback),
    sourceNetworks: parseNetworks(loopback),
    directStreaming: options.directStreaming ?? true,
    webhookProxy: null,
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: null,
    bundles: defaultBundles,
  });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    batchParser.close();
    resultWriter.close();
    server.closeAllConnections();
    server.close();
    runs.close();
    await connection.close();
  });
  const { workerEnvironment = {} } = options;
  const environment = {
    ...serviceEnvironment({ databaseUrl: url, bucket: objects.bucket, ...options }),
    SVC_TASK_QUEUE: taskQueue,
    SVC_WEBHOOK_NETWORKS: loopback,
    SVC_SOURCE_NETWORKS: loopback,
    SVC_SECRETS_KEY: secretsKey,
  };
  const streamAddress = { host: '127.0.0.1', port: 0 };
  const forwarded = forwardUpgrades(server, {
    ...{ credentialFailures, throttle, logger, address: streamAddress },
    trustedProxies: options.trustedProxies ?? [],
    findOrganization: (secret) => findOrganization(db, secret),
    answered: () => {},
  });
  t.teardown(() => forwarded.close());
  const streamWorkers: ChildProcess[] = [];
  const processes = createProcesses(t, {
    ...{ environment, onLog: options.onLog, patches: patient ? patientProcesses : [] },
  });
  const startStreamWorker: TestStack['startStreamWorker'] = async (patches = []) => {
    const env = { SVC_INFERENCE_PROCESSES: '1', ...options.streamEnvironment };
    const { child, port } = await processes.startStreamWorker({ patches, env });
    streamWorkers.push(child);
    streamAddress.port = port;
    return child;
  };
  const startApi: TestStack['startApi'] = async (patches = []) => {
    // Without a stream worker a port that nobody listens at.
    const address = `127.0.0.1:${streamAddress.port || 1}`;
    const env = { SVC_STREAM_ADDRESS: address, ...options.apiEnvironment };
    const { child, port } = await processes.startApi({ patches, env });
    return { child, base: `http://127.0.0.1:${port}` };
  };
  t.teardown(() =>
    client.schedule
      .getHandle(`${taskQueue}-sweep`)
      .delete()
      .catch(() => {}),
  );
  if (worker) processes.startWorker({ env: workerEnvironment });
  if (options.streams) await startStreamWorker();
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = await anAccount(db, { allowanceSeconds });
  return {
    base,
    db,
    objects,
    client,
    taskQueue,
    account,
    secretsKey,
    startWorker: async (patches = []) => processes.startWorker({ patches, env: workerEnvironment }),
    startApi,
    startStreamWorker,
    streamWorkers,
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests read whatever arrived; the schemas check its shape.
  readonly body: any;
}

export interface PostOptions {
  readonly fields?: Readonly<Record<string, string>>;
  readonly requestId?: string;
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Declared MIME type of the file. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a file to the transcriptions endpoint. */
export function transcribe(
  stack: Pick<TestStack, 'base' | 'account'>,
  file: Buffer,
  options: PostOptions = {},
): Promise<Answer> {
  return postFile(stack, '/v1/audio/transcriptions', { ...options, file });
}

/** Posts a file to a file endpoint. */
export async function postFile(
  { base, account }: Pick<TestStack, 'base' | 'account'>,
  path: string,
  options: PostOptions & { readonly file: Buffer },
): Promise<Answer> {
  const { file, type, fields = {}, requestId, key = account.key, signal, headers } = options;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)], { type: type ?? '' }), 'call');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const response = await fetch(base + path, {
    method: 'POST',
    body: form,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(requestId && { 'X-Request-ID': requestId }),
      ...headers,
    },
    ...(signal && { signal }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Until workers accept what the API sends. */
export async function untilReady({ base }: Pick<TestStack, 'base'>): Promise<void> {
  while (!(await fetch(`${base}/readyz`)).ok) await sleep(200);
}
