// The embedded stack: servers side by side, then API and workers; stopped in reverse order.
import { join } from 'node:path';
import { retryWithin } from '../../models/concurrency/retry-within.ts';
import { apiPart, baseUrl, batchWorkerPart, streamWorkerPart } from './applications.ts';
import { createRecordKeeper } from './record-keeper.ts';
import { removeRecord } from './stack-record.ts';
import { readConfig } from '../settings/read-config.ts';
import { stackSettings } from '../settings/settings-table.ts';
import { writeWorkflowBundle } from '../process/workflow-bundle.ts';
import { createPart, type Part } from './part.ts';
import { requireFreePorts } from './ports.ts';
import { makePrivate, requireOwnFolder } from './private-folder.ts';
import { ensureSecrets, joinedKeys, keepKeys, type Secrets } from './secrets.ts';
import { createServers } from './servers.ts';
import type { StackSettings } from '../settings/stack-settings.ts';
import { metricsPort, portsOf } from './stack-ports.ts';

export interface Stack {
  /** Starts everything; resolves when /readyz succeeds. */
  start(): Promise<RunningStack>;
  /** Stops whatever runs, in order, even during a start. */
  stop(): Promise<void>;
  /** Kills everything at once. */
  kill(): void;
}

export interface RunningStack {
  readonly baseUrl: string;
  /** The environment of the processes. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The stack did not become ready; the message names the failing check of /readyz. */
class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

const applicationParts = [apiPart, batchWorkerPart, streamWorkerPart];
const readySeconds = 60;

/** Creates a stack over a data directory; nothing runs before `start`. */
export function createStack(settings: StackSettings, say: (line: string) => void): Stack {
  const { dataDirectory } = settings;
  let servers: readonly Part[] = [];
  let applications: readonly Part[] = [];
  let environment: Readonly<Record<string, string>> = {};
  let stopping = false;
  const recordKeeper = createRecordKeeper(dataDirectory, say);

  function record(): void {
    const parts = [...servers, ...applications].flatMap(({ name, stopSignal, identity }) => {
      const process = identity();
      return process === null ? [] : [{ name, stopSignal, process }];
    });
    recordKeeper.write({ parts, environment });
  }
  const events = { say, changed: record };

  async function startPart(part: Part): Promise<void> {
    if (stopping) throw new Error('the stack is being stopped');
    const started = performance.now();
    await part.start();
    say(`${part.name} is ready (${secondsSince(started)} s)`);
  }

  async function start(): Promise<RunningStack> {
    requireOwnFolder(dataDirectory);
    const stopped = await recordKeeper.take();
    if (stopped.length > 0) say(`stopped orphans of an earlier stack: ${stopped.join(', ')}`);
    await requireFreePorts(portsOf(settings));
    // Last, as the database of a stack that runs is only allowed to traverse the folder.
    makePrivate(dataDirectory);
    const secrets = ensureSecrets(dataDirectory);
    makePrivate(settings.logDirectory);
    const created = await createServers({ settings, secrets, events, durable: true });
    servers = created.parts;
    environment = { ...created.environment, ...serviceEnvironment(settings, secrets) };
    record();
    const config = readConfig(stackSettings, {
      ...process.env,
      ...environment,
      DATABASE_OWNER_URL: created.databaseOwnerUrl ?? '',
    });
    keepKeys(dataDirectory, secrets, environment.SVC_SECRETS_KEY!);
    // Loading the libraries of database and storage takes as long as the servers need to start.
    const [{ prepareStores }] = await Promise.all([
      import('./stores.ts'),
      writeWorkflowBundle(workflowBundleIn(settings)),
      ...servers.map((part) => startPart(part)),
    ]);
    for (const note of await prepareStores(config, created.databaseOwnerUrl)) say(note);
    const specs = applicationParts.map((part, i) => {
      const SVC_METRICS_PORT = String(metricsPort(settings, i).port);
      const own = { ...environment, SVC_METRICS_PORT };
      return part({ environment: own, logDirectory: settings.logDirectory });
    });
    applications = specs.map((spec) => createPart(spec, events));
    await Promise.all(applications.map((part) => startPart(part)));
    await waitUntilReady(baseUrl(environment));
    return { baseUrl: baseUrl(environment), environment };
  }

  return {
    start,
    async stop() {
      stopping = true;
      for (const part of [...applications, ...[...servers].reverse()]) {
        await part.stop();
      }
      recordKeeper.stop();
      // A rejected start must leave the record of the running stack.
      if (recordKeeper.isWritten()) removeRecord(dataDirectory);
    },
    kill() {
      for (const part of [...applications, ...servers]) part.kill();
    },
  };
}

/** One for both workers and each of their restarts, made anew at each start of the stack. */
function workflowBundleIn({ dataDirectory }: StackSettings): string {
  return join(dataDirectory, 'workflow-bundle.js');
}

/** Variables of the processes beside those of the servers. */
export function serviceEnvironment(
  settings: StackSettings,
  secrets: Secrets,
): Record<string, string> {
  return {
    SVC_SECRETS_KEY: joinedKeys(process.env.SVC_SECRETS_KEY, secrets),
    SVC_DRAIN_SECONDS: settings.drainSeconds,
    // Set for the stack alone, as the processes never change the schema.
    DATABASE_OWNER_URL: '',
    SVC_HOST: settings.host,
    SVC_PORT: String(settings.ports.api.port),
    SVC_STREAM_PORT: String(settings.ports.streams.port),
    SVC_STREAM_ADDRESS: settings.streamAddress,
    SVC_TASK_QUEUE: settings.taskQueue,
    SVC_MODELS_DIR: settings.modelsDirectory,
    SVC_DATA_DIR: settings.dataDirectory,
    SVC_WORKFLOW_BUNDLE: workflowBundleIn(settings),
  };
}

async function waitUntilReady(url: string): Promise<void> {
  const timeoutMs = readySeconds * 1_000;
  await retryWithin({ timeoutMs, delayMs: () => 100 }, async () => {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NotReadyError(`/readyz does not succeed after ${readySeconds} s: ${reason}`, {
      cause,
    });
  });
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
