// `svc doctor`, the services on the network: database, object storage, Temporal, workers, API.
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { openObjectStore } from '../../db/object-store.ts';
import { readConfig, storageOf, storageSchema } from '../process/service-config.ts';
import { baseUrl } from '../stack/applications.ts';
import { examine, type Answer, type Finding } from './finding.ts';

export type ServiceEnvironment = Readonly<Record<string, string>>;

/** Sends each service one cheap request. */
export function examineServices(environment: ServiceEnvironment): Promise<readonly Finding[]> {
  return Promise.all([
    examine('PostgreSQL', () => checkDatabase(need(environment, 'DATABASE_URL'))),
    examine('S3', (signal) => checkObjectStorage(environment, signal)),
    examine('Temporal', () => withTemporal(environment, checkTemporal)),
    examine('Batch workers', () =>
      withTemporal(environment, (connection) => checkWorkers(connection, environment)),
    ),
    examine('Stream worker', (signal) => checkStreams(environment, signal)),
    examine('API', (signal) => checkApi(environment, signal)),
  ]);
}

function need(environment: ServiceEnvironment, variable: string): string {
  const value = environment[variable];
  if (value) return value;
  throw new Error(`no stack runs here ("npm start"), and ${variable} is not set`);
}

async function checkDatabase(url: string): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4000 });
  client.on('error', () => {}); // The query reports it.
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const { host, port, database } = client;
    return { version: rows[0]?.server_version ?? null, detail: `${host}:${port}/${database}` };
  } finally {
    await client.end();
  }
}

async function checkStreams(environment: ServiceEnvironment, signal: AbortSignal): Promise<Answer> {
  const address = need(environment, 'SVC_STREAM_ADDRESS');
  const { status } = await fetch(`http://${address}`, { signal });
  if (status !== 426) throw new Error(`${address} answered ${status}`);
  return { version: null, detail: address };
}

async function checkObjectStorage(
  environment: ServiceEnvironment,
  signal: AbortSignal,
): Promise<Answer> {
  need(environment, 'S3_ENDPOINT');
  const storage = storageOf(readConfig(storageSchema, environment));
  const { endpoint, bucket } = storage;
  const store = openObjectStore(storage);
  try {
    const [response] = await Promise.all([fetch(endpoint, { signal }), store.ping()]);
    await response.arrayBuffer();
    const detail = `${endpoint}, bucket ${bucket}`;
    return { version: response.headers.get('server'), detail };
  } finally {
    store.close();
  }
}

async function withTemporal(
  environment: ServiceEnvironment,
  check: (connection: Connection, address: string) => Promise<Answer>,
): Promise<Answer> {
  const address = need(environment, 'TEMPORAL_ADDRESS');
  const connection = await Connection.connect({ address, connectTimeout: 4000 });
  try {
    return await check(connection, address);
  } finally {
    await connection.close();
  }
}

async function checkTemporal(connection: Connection, address: string): Promise<Answer> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  return { version: serverVersion ?? null, detail: address };
}

/** The server drops a poller five minutes after its last poll; a live one polls every minute. */
const silentAfterSeconds = 90;
const taskQueueOfWorkflows = 1;

async function checkWorkers(
  connection: Connection,
  environment: ServiceEnvironment,
): Promise<Answer> {
  const name = environment.SVC_TASK_QUEUE ?? 'svc';
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: environment.TEMPORAL_NAMESPACE ?? 'default',
    taskQueue: { name },
    taskQueueType: taskQueueOfWorkflows,
  });
  const now = Date.now() / 1000;
  const live = (pollers ?? []).filter(
    ({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) < silentAfterSeconds,
  );
  if (live.length === 0) throw new Error(`no worker polls the task queue "${name}"`);
  const identities = new Set(live.map(({ identity }) => identity ?? 'unnamed'));
  return { version: null, detail: `task queue "${name}": ${[...identities].join(', ')}` };
}

async function checkApi(environment: ServiceEnvironment, signal: AbortSignal): Promise<Answer> {
  need(environment, 'SVC_PORT');
  const url = `${baseUrl(environment)}/readyz`;
  const response = await fetch(url, { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return { version: null, detail: url };
}
