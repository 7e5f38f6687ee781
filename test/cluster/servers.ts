// The servers of the cluster as an operator runs them: PostgreSQL, object storage and Temporal,
// each on a machine of its own and with TLS, and the proxy.
import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createPart, type Part, type PartEvents, type PartSpec } from '../../bin/stack/part.ts';
import { postgresPart } from '../../bin/stack/postgres.ts';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import { versitygwPart } from '../../bin/stack/versitygw.ts';
import { connectionString } from '../../db/connection.ts';
import type { Certificates } from '../support/certificates.ts';
import { commandOn, network, type Machine, type Machines } from './network.ts';
import { temporalConfig } from './temporal-config.ts';

export interface ServersOptions {
  readonly folder: string;
  readonly machines: Machines;
  readonly certificates: Certificates;
  readonly events: PartEvents;
  readonly passwords: { readonly owner: string; readonly service: string; readonly s3: string };
}

const postgresPort = 5432;
const storagePort = 7070;
const temporalPort = 7233;
export const apiPort = 8080;

/** Starts the three servers. */
export async function startServers(options: ServersOptions): Promise<readonly Part[]> {
  const { events } = options;
  const [postgres, storage] = [
    createPart(await postgresOn(options), events),
    createPart(storageOn(options), events),
  ];
  await Promise.all([postgres.start(), storage.start()]);
  createTemporalSchema(options);
  const temporal = createPart(temporalOn(options), events);
  await temporal.start();
  return [postgres, storage, temporal];
}

/** Variables with which the service reaches the servers, as docs/deploy.md lists them. */
export function serverVariables(options: ServersOptions): Readonly<Record<string, string>> {
  const { machines, certificates, passwords } = options;
  const { authorityPath, client } = certificates;
  return {
    DATABASE_URL: databaseUrl(options, 'svc_service', passwords.service, 'svc'),
    S3_ENDPOINT: `https://${machines.storage.host}:${storagePort}`,
    S3_BUCKET: 'calls',
    S3_ACCESS_KEY_ID: 'cluster',
    S3_SECRET_ACCESS_KEY: passwords.s3,
    S3_TLS_CA_FILE: authorityPath,
    TEMPORAL_ADDRESS: `${machines.temporal.host}:${temporalPort}`,
    TEMPORAL_NAMESPACE: 'speech',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authorityPath,
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.certPath,
    TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyPath,
  };
}

/** For set-up alone: the database that it names need not exist. */
export function ownerUrl(options: ServersOptions): string {
  return databaseUrl(options, 'svc', options.passwords.owner, 'svc');
}

function databaseUrl(
  { machines, certificates }: ServersOptions,
  user: string,
  password: string,
  database: string,
): string {
  const query = `sslmode=verify-full&sslrootcert=${certificates.authorityPath}`;
  const server = `${machines.database.host}:${postgresPort}`;
  return `postgres://${user}:${password}@${server}/${database}?${query}`;
}

/** The same process on a machine; the user of a process that must not be root is set there. */
function placedOn(machine: Machine, { user, command, args, ...spec }: PartSpec): PartSpec {
  const as = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--']
    : [];
  const [program, ...rest] = commandOn(machine, [...as, command, ...args]);
  return { ...spec, command: program, args: rest };
}

async function postgresOn(options: ServersOptions): Promise<PartSpec> {
  const { folder, machines, certificates, events, passwords } = options;
  const spec = await postgresPart({
    dataDirectory: folder,
    logPath: join(folder, 'logs', 'postgres.log'),
    port: postgresPort,
    password: passwords.owner,
    servicePassword: passwords.service,
    durable: true,
    say: events.say,
  });
  const access = join(folder, 'pg_hba.conf');
  writeFileSync(access, `hostssl all all ${network} scram-sha-256\n`);
  const identity = {
    certificate: join(folder, 'postgres.pem'),
    key: join(folder, 'postgres.key'),
  };
  copyFileSync(certificates.server.certPath, identity.certificate);
  copyFileSync(certificates.server.keyPath, identity.key);
  for (const path of Object.values(identity)) {
    // The server rejects a key that others could read.
    chmodSync(path, 0o600);
    if (spec.user) chownSync(path, spec.user.uid, spec.user.gid);
  }
  const settings = {
    listen_addresses: machines.database.address,
    hba_file: access,
    ssl: 'on',
    ssl_cert_file: identity.certificate,
    ssl_key_file: identity.key,
  };
  return {
    ...placedOn(machines.database, {
      ...spec,
      args: [
        ...spec.args,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
    }),
    async probe() {
      const url = databaseUrl(options, 'svc', passwords.owner, 'postgres');
      const client = new pg.Client({ connectionString: connectionString(url) });
      await client.connect();
      await client.end();
    },
  };
}

function storageOn({ folder, machines, certificates, passwords }: ServersOptions): PartSpec {
  const { server } = certificates;
  const spec = versitygwPart({
    dataDirectory: folder,
    logPath: join(folder, 'logs', 'storage.log'),
    program: programOf('SVC_VERSITYGW_BINARY'),
    port: storagePort,
    promisedPorts: [],
    accessKeyId: 'cluster',
    secretAccessKey: passwords.s3,
  });
  const { address, host } = machines.storage;
  return {
    ...placedOn(machines.storage, {
      ...spec,
      args: ['--port', `${address}:${storagePort}`, ...spec.args],
    }),
    env: { ...spec.env, VGW_CERT: server.certPath, VGW_KEY: server.keyPath },
    async probe({ signal }) {
      const response = await fetch(`https://${host}:${storagePort}/`, { signal });
      await response.arrayBuffer();
    },
  };
}

/** The databases of Temporal, by the tool that its operators use. */
function createTemporalSchema(options: ServersOptions): void {
  const { machines, certificates, passwords } = options;
  const sqlTool = (database: string, ...args: readonly string[]): void => {
    const access = [
      ...['--plugin', 'postgres12', '--endpoint', machines.database.host],
      ...['--port', String(postgresPort), '--user', 'svc', '--database', database, '--tls'],
      ...['--tls-ca-file', certificates.authorityPath],
    ];
    const env = { ...process.env, SQL_PASSWORD: passwords.owner };
    const stdio = ['ignore', 'ignore', 'pipe'] as ('ignore' | 'pipe')[];
    execFileSync(programOf('SVC_TEMPORAL_SQL_BINARY'), [...access, ...args], { env, stdio });
  };
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['temporal_visibility', 'visibility'],
  ] as const) {
    sqlTool(database, 'create-database');
    sqlTool(database, 'setup-schema', '--version', '0.0');
    sqlTool(database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

function temporalOn(options: ServersOptions): PartSpec {
  const { folder, machines, certificates, passwords } = options;
  const configFolder = join(folder, 'temporal');
  mkdirSync(configFolder);
  const config = temporalConfig({
    address: machines.temporal.address,
    host: machines.temporal.host,
    port: temporalPort,
    database: { host: machines.database.host, port: postgresPort, password: passwords.owner },
    certificates,
    dynamicConfigPath: join(repositoryRoot, 'deploy', 'temporal-dynamic-config.yaml'),
  });
  // JSON is YAML.
  writeFileSync(join(configFolder, 'cluster.yaml'), JSON.stringify(config, null, 2));
  const address = `${machines.temporal.host}:${temporalPort}`;
  return placedOn(machines.temporal, {
    name: 'Temporal',
    command: programOf('SVC_TEMPORAL_SERVER_BINARY'),
    args: ['--root', folder, '--config', 'temporal', '--env', 'cluster', 'start'],
    env: {},
    cwd: folder,
    logPath: join(folder, 'logs', 'temporal.log'),
    stopSignal: 'SIGTERM',
    readySeconds: 120,
    async probe() {
      await checkTemporal(address, certificates);
    },
  });
}

async function checkTemporal(address: string, certificates: Certificates): Promise<void> {
  const { Connection } = await import('@temporalio/client');
  const { authority, client } = certificates;
  const connection = await Connection.connect({
    address,
    connectTimeout: 1_000,
    tls: {
      serverRootCACertificate: Buffer.from(authority),
      clientCertPair: { crt: Buffer.from(client.cert), key: Buffer.from(client.key) },
    },
  });
  try {
    // Answered once the history service is there, too.
    await connection.workflowService.listNamespaces({});
  } finally {
    await connection.close();
  }
}

/** @throws without the variable, which set-up sets */
export function programOf(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: use npm run cluster`);
  return path;
}
