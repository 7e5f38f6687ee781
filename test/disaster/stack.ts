// Servers with an API and a worker on them, as an operator has them: made, ended, made again.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePorts } from '../../bin/stack/ports.ts';
import { startServices, type TestServices } from '../runner/services.ts';

const run = promisify(execFile);
const svc = join(import.meta.dirname, '..', '..', 'bin', 'svc.ts');

export interface RunningStack {
  readonly base: string;
  /** Of the first organization; null where the database had some before. */
  readonly key: string | null;
  readonly services: TestServices;
  /** Variables with which `svc` speaks to these servers. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a command to its end. @throws with what it printed, where it fails */
  command(...args: readonly string[]): Promise<string>;
  /** Ends the processes at once, as a power cut does. */
  kill(): void;
}

/** @param dataDirectory of servers that were there before; null: new ones, which are set up */
export async function startStack(dataDirectory: string | null): Promise<RunningStack> {
  const services = await startServices({ durable: true, ...(dataDirectory && { dataDirectory }) });
  const environment = variablesOf(services.environment);
  const command = async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [svc, ...args], { env: environment })).stdout;
  const [, key = null] = /^(svc_\S+)$/m.exec(await command('setup')) ?? [];
  const [port, metrics, workerMetrics] = (await findFreePorts(3)).map(String);
  const children = [
    start('worker', {
      ...environment,
      SVC_INFERENCE_PROCESSES: '1',
      SVC_METRICS_PORT: workerMetrics,
    }),
    start('api', { ...environment, SVC_PORT: port, SVC_METRICS_PORT: metrics }),
  ];
  await untilReady(`http://127.0.0.1:${workerMetrics}/readyz`);
  await untilReady(`http://127.0.0.1:${metrics}/readyz`);
  return {
    base: `http://127.0.0.1:${port}`,
    key,
    services,
    environment,
    command,
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Of what the tests are told, what a process of the service reads. */
function variablesOf(told: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: told.TEST_DATABASE_URL,
    DATABASE_OWNER_URL: told.TEST_DATABASE_OWNER_URL,
    S3_ENDPOINT: told.TEST_S3_ENDPOINT,
    S3_ACCESS_KEY_ID: told.TEST_S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: told.TEST_S3_SECRET_ACCESS_KEY,
    S3_BUCKET: 'svc',
    TEMPORAL_ADDRESS: told.TEST_TEMPORAL_ADDRESS,
    SVC_MODELS_DIR: told.SVC_MODELS_DIR,
    SVC_LOG_LEVEL: 'error',
  };
}

function start(role: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [svc, role], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + 240_000;
  while (performance.now() < end) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await sleep(250);
  }
  throw new Error(`${url} is not ready`);
}
