// `svc doctor`, the services on the network: database, object storage, Temporal, workers, API.
import type { Connection } from '@temporalio/client';
import { requirePollers } from '../../api/health/pollers.ts';
import { databaseVersion, openDatabase, pingDatabase, type Db } from '../../db/database.ts';
import { describeMissing, missingKeys } from '../../db/missing-keys.ts';
import { requireSchema } from '../../db/role-privileges.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { databaseSettings } from '../settings/database-config.ts';
import { readConfig, type Settings, type SettingsOf } from '../settings/read-config.ts';
import { queueSettings, secretsSettings } from '../settings/service-config.ts';
import { storageOf, storageSettings } from '../settings/storage-config.ts';
import { temporalOf, temporalSettings, type TemporalAccess } from '../settings/temporal-config.ts';
import { connectTemporal } from '../process/temporal-connection.ts';
import { storageUrl, withStorage } from '../provision/stores.ts';
import { baseUrl } from '../stack/applications.ts';
import { bulkQueue } from '../../workflows/ids.ts';
import { examine, tenths, type Answer, type Finding } from './finding.ts';

export type ServiceEnvironment = Readonly<Record<string, string>>;

/** Sends each service a few cheap requests. */
export function examineServices(environment: ServiceEnvironment): Promise<readonly Finding[]> {
  return Promise.all([
    examine('PostgreSQL', () => withDatabase(environment, checkDatabase)),
    examine('Secrets', () => checkSecrets(environment)),
    examine('S3', () => checkObjectStorage(environment)),
    examine('Temporal', () => withTemporal(environment, checkTemporal)),
    examine('Batch workers', () => checkWorkers(environment, (queue) => queue)),
    examine('Batch workers, bulk', () => checkWorkers(environment, bulkQueue)),
    examine('Stream worker', (signal) => checkStreams(environment, signal)),
    examine('API', (signal) => checkApi(environment, signal)),
  ]);
}

function need(environment: ServiceEnvironment, variable: string): string {
  const value = environment[variable];
  if (value) return value;
  throw new Error(`no stack is running here ("npm start"), and ${variable} is not set`);
}

/** @param first the variable without which the section counts as not configured */
function sectionOf<T extends Settings>(
  settings: T,
  environment: ServiceEnvironment,
  first: string,
): SettingsOf<T> {
  if (!environment[`${first}_FILE`]) need(environment, first);
  return readConfig(settings, environment) as SettingsOf<T>;
}

async function withDatabase(
  environment: ServiceEnvironment,
  check: (db: Db, url: URL) => Promise<Answer>,
): Promise<Answer> {
  const { DATABASE_URL: url } = sectionOf(databaseSettings, environment, 'DATABASE_URL');
  const db = openDatabase(url, { maxConnections: 1, acquireTimeoutMs: 4000 });
  try {
    return await check(db, new URL(url));
  } finally {
    await db.destroy();
  }
}

async function checkDatabase(db: Db, { hostname, port, pathname }: URL): Promise<Answer> {
  const version = await databaseVersion(db);
  await requireSchema(db);
  const detail = `${hostname}:${port || 5432}${pathname}`;
  return { version, detail, roundTripMs: await measureRoundTripMs(db) };
}

/** The shortest of a few on the open connection: a busy machine takes longer than a network. */
async function measureRoundTripMs(db: Db): Promise<number> {
  let shortest = Infinity;
  for (let count = 0; count < 3; count += 1) {
    const started = performance.now();
    await pingDatabase(db);
    shortest = Math.min(shortest, performance.now() - started);
  }
  return tenths(shortest);
}

/** Whether what is encrypted in the database can be opened. */
async function checkSecrets(environment: ServiceEnvironment): Promise<Answer> {
  const { SVC_SECRETS_KEY: keys } = readConfig(secretsSettings, environment);
  const unchecked = keys ? null : uncheckedWithout(environment, 'SVC_SECRETS_KEY');
  if (unchecked) return unchecked;
  return withDatabase(environment, async (db) => {
    const missing = await missingKeys(db, keys ? createSecretBox(keys) : null);
    if (missing.length > 0) throw new Error(describeMissing(missing));
    return { version: null, detail: 'can be opened by SVC_SECRETS_KEY' };
  });
}

/** A machine of several knows the servers, but not necessarily where every process is. */
function uncheckedWithout(environment: ServiceEnvironment, variable: string): Answer | null {
  const hasServers = environment.DATABASE_URL || environment.DATABASE_URL_FILE;
  if (environment[variable] || !hasServers) return null;
  return { version: null, detail: `not checked from here: ${variable} is not set` };
}

async function checkStreams(environment: ServiceEnvironment, signal: AbortSignal): Promise<Answer> {
  const unchecked = uncheckedWithout(environment, 'SVC_STREAM_ADDRESS');
  if (unchecked) return unchecked;
  const address = need(environment, 'SVC_STREAM_ADDRESS');
  const { status } = await fetch(`http://${address}`, { signal });
  if (status !== 426) throw new Error(`${address} answered ${status}`);
  return { version: null, detail: address };
}

function checkObjectStorage(environment: ServiceEnvironment): Promise<Answer> {
  const options = storageOf(sectionOf(storageSettings, environment, 'S3_BUCKET'));
  return withStorage(options, async (store) => {
    await store.ping();
    return { version: null, detail: `${storageUrl(options)}, bucket ${options.bucket}` };
  });
}

async function withTemporal(
  environment: ServiceEnvironment,
  check: (connection: Connection, access: TemporalAccess) => Promise<Answer>,
): Promise<Answer> {
  const access = temporalOf(sectionOf(temporalSettings, environment, 'TEMPORAL_ADDRESS'));
  const connection = await connectTemporal(access, 4000);
  try {
    return await check(connection, access);
  } finally {
    await connection.close();
  }
}

async function checkTemporal(
  connection: Connection,
  { address, namespace }: TemporalAccess,
): Promise<Answer> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  await connection.workflowService.describeNamespace({ namespace });
  return { version: serverVersion ?? null, detail: `${address}, namespace ${namespace}` };
}

/** A worker may accept one lane only (`SVC_WORKER_LANES`), so each queue has to be polled. */
function checkWorkers(
  environment: ServiceEnvironment,
  laneOf: (queue: string) => string,
): Promise<Answer> {
  const taskQueue = laneOf(readConfig(queueSettings, environment).SVC_TASK_QUEUE);
  return withTemporal(environment, async ({ workflowService }, { namespace }) => {
    const queue = { namespace, taskQueue, type: 'workflow' } as const;
    const identities = await requirePollers(workflowService, queue);
    return { version: null, detail: `task queue "${taskQueue}": ${identities.join(', ')}` };
  });
}

async function checkApi(environment: ServiceEnvironment, signal: AbortSignal): Promise<Answer> {
  const unchecked = uncheckedWithout(environment, 'SVC_PORT');
  if (unchecked) return unchecked;
  need(environment, 'SVC_PORT');
  const url = `${baseUrl(environment)}/readyz`;
  const response = await fetch(url, { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return { version: null, detail: url };
}
