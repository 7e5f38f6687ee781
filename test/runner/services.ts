// The servers of a test run: PostgreSQL, S3 and Temporal on free ports, over a temporary folder.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3ServerName } from '../../bin/setup/s3-choice.mjs';
import { writeWorkflowBundle } from '../../bin/process/workflow-bundle.ts';
import { findListeningPorts } from '../../bin/stack/ports.ts';
import { ensureSecrets } from '../../bin/stack/secrets.ts';
import { createServers, type Servers } from '../../bin/stack/servers.ts';
import { readSettings } from '../../bin/settings/stack-settings.ts';
import { makeTemplate, type DatabaseTemplate } from './database-template.ts';

export interface TestServices {
  /** What the tests read; see test/support. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
  /** Kills a server, which is then restarted. */
  kill(name: ServerName, signal?: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export type ServerName = 'PostgreSQL' | 'S3 gateway' | 'Temporal';

export interface ServicesOptions {
  /** Commits wait for the disk, so that a crash of PostgreSQL loses none. */
  readonly durable?: boolean;
  /** Default: a new one. */
  readonly dataDirectory?: string;
  /** Default: the one that set-up chose. */
  readonly s3Server?: S3ServerName;
  /** Default: all three. */
  readonly only?: readonly ServerName[];
}

/** Starts the three servers; an external address replaces the embedded one. */
export async function startServices(options: ServicesOptions = {}): Promise<TestServices> {
  const { durable = false, dataDirectory = mkdtempSync(join(tmpdir(), 'svc-test-')) } = options;
  chmodSync(dataDirectory, 0o755); // As root, PostgreSQL's own user must reach its data.
  const [postgres, s3, temporal, temporalUi] = await findListeningPorts(4);
  const settings = readSettings({
    ...process.env,
    SVC_DATA_DIR: dataDirectory,
    ...(options.s3Server && { SVC_S3_SERVER: options.s3Server }),
    SVC_POSTGRES_PORT: String(postgres),
    SVC_S3_PORT: String(s3),
    SVC_TEMPORAL_PORT: String(temporal),
    SVC_TEMPORAL_UI_PORT: String(temporalUi),
  });
  mkdirSync(settings.logDirectory);
  const say = (line: string) => process.stdout.write(`  ${line}\n`);
  const servers = await createServers({
    settings,
    secrets: ensureSecrets(dataDirectory),
    events: { say, changed: () => {} },
    durable,
  });
  const environment = testEnvironment(servers, settings.modelsDirectory);
  const workflowBundle = join(dataDirectory, 'workflow-bundle.js');
  const wanted = servers.parts.filter(({ name }) => options.only?.some((n) => n === name) ?? true);

  let template: DatabaseTemplate | null = null;

  async function stop(): Promise<void> {
    // Of an embedded server everything goes.
    if (process.env.DATABASE_URL) await template?.drop();
    await Promise.all(wanted.map((part) => part.stop()));
    rmSync(dataDirectory, { recursive: true, force: true });
  }

  try {
    await Promise.all([
      options.only ? null : writeWorkflowBundle(workflowBundle),
      ...wanted.map((part) => part.start()),
    ]);
    const { TEST_DATABASE_URL: url, TEST_DATABASE_OWNER_URL: ownerUrl } = environment;
    if (!options.only) template = await makeTemplate(url!, ownerUrl!);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    environment: {
      ...environment,
      TEST_DATABASE_TEMPLATE: template?.name ?? '',
      SVC_WORKFLOW_BUNDLE: options.only ? '' : workflowBundle,
    },
    dataDirectory,
    kill: (name, signal = 'SIGKILL') => {
      const running = wanted.find((part) => part.name === name)?.identity();
      if (running) process.kill(running.pid, signal);
    },
    stop,
  };
}

function testEnvironment(
  { environment, databaseOwnerUrl }: Servers,
  modelsDirectory: string,
): Record<string, string> {
  return {
    TEST_DATABASE_URL: environment.DATABASE_URL ?? '',
    TEST_DATABASE_OWNER_URL: databaseOwnerUrl ?? environment.DATABASE_URL ?? '',
    TEST_S3_ENDPOINT: environment.S3_ENDPOINT ?? '',
    TEST_S3_ACCESS_KEY_ID: environment.S3_ACCESS_KEY_ID ?? '',
    TEST_S3_SECRET_ACCESS_KEY: environment.S3_SECRET_ACCESS_KEY ?? '',
    TEST_TEMPORAL_ADDRESS: environment.TEMPORAL_ADDRESS ?? '',
    SVC_MODELS_DIR: modelsDirectory,
  };
}
