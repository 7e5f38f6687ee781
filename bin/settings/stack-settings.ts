// The stack's settings from the environment: folders, ports, and external servers.
import { join, resolve } from 'node:path';
import {
  noAssignments,
  parseAssignments,
  type Assignments,
} from '../../models/bundles/assignments.ts';
import { defaultEnglishBundle } from '../../models/bundles/english-bundles.ts';
import { dataDirectoryOf, defaultModelsDirectory } from '../setup/directories.mjs';
import { chosenServer, type S3ServerName } from '../setup/s3-choice.mjs';
import { InvalidSettings, portNumber, variablesOf, type Environment } from './read-config.ts';
import { storageSettings } from './storage-config.ts';
import { temporalSettings } from './temporal-config.ts';

export const repositoryRoot = resolve(import.meta.dirname, '..', '..');

/** A port of 127.0.0.1 and the variable that changes it. */
export interface PortSetting {
  readonly variable: string;
  readonly port: number;
}

export interface StackSettings {
  /** Database, objects, histories, secrets and logs of this stack; absolute. */
  readonly dataDirectory: string;
  readonly logDirectory: string;
  readonly modelsDirectory: string;
  /** The bundle that recognises English. */
  readonly englishBundle: string;
  readonly assignments: Assignments;
  readonly host: string;
  readonly ports: {
    readonly api: PortSetting;
    readonly streams: PortSetting;
    /** The port of the API; the workers use the two that follow. */
    readonly metrics: PortSetting;
    readonly postgres: PortSetting;
    readonly s3: PortSetting;
    readonly temporal: PortSetting;
    readonly temporalUi: PortSetting;
  };
  /** Where the API reaches the stream workers, as `host:port`. */
  readonly streamAddress: string;
  /** External servers; null when the stack runs the server itself. */
  readonly external: {
    readonly databaseUrl: string | null;
    /** The schema's owner, when `DATABASE_URL` may not change the schema. */
    readonly databaseOwnerUrl: string | null;
    /** Every variable that says where it is and how it is reached. */
    readonly s3: Readonly<Record<string, string>> | null;
    readonly temporal: Readonly<Record<string, string>> | null;
  };
  /** For how long the API answers after it is told to end. */
  readonly drainSeconds: string;
  readonly bucket: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Paths of the servers' programs, which set-up names; empty for one that is not needed. */
  readonly programs: Readonly<Record<'temporal' | S3ServerName, string>>;
  /** The embedded S3 server: who wrote what the data directory has, or who is asked for. */
  readonly s3Server: S3ServerName;
}

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What the stack cannot work with; the message names its variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const defaultS3Server = 'versitygw';

/** Differs from the well-known ports, so that another PostgreSQL or Temporal does not conflict. */
const defaultPorts = {
  api: 8080,
  streams: 18_081,
  metrics: 19_464,
  postgres: 15_432,
  s3: 19_000,
  temporal: 17_233,
  ui: 18_233,
};

/** Reads and validates every variable of the stack. @throws InvalidSettings with every problem */
export function readSettings(env: Environment): StackSettings {
  const problems: string[] = [];
  const settings = settingsOf(env, (problem) => problems.push(problem));
  if (problems.length > 0) throw new InvalidSettings(problems);
  return settings;
}

/**
 * The settings, with the default of each that is invalid.
 * @param tell is called with each of those
 */
export function settingsOf(env: Environment, tell: (problem: string) => void): StackSettings {
  const dataDirectory = dataDirectoryOf(env);
  const port = (variable: string, fallback: number) => portOf(env, variable, { fallback, tell });
  const streams = port('SVC_STREAM_PORT', defaultPorts.streams);
  return {
    dataDirectory,
    logDirectory: join(dataDirectory, 'logs'),
    modelsDirectory: resolve(env.SVC_MODELS_DIR || defaultModelsDirectory(env)),
    englishBundle: env.SVC_ENGLISH_BUNDLE || defaultEnglishBundle,
    assignments: assignmentsOf(env, tell),
    host: env.SVC_HOST || '127.0.0.1',
    ports: {
      api: port('SVC_PORT', defaultPorts.api),
      streams,
      metrics: port('SVC_METRICS_PORT', defaultPorts.metrics),
      postgres: port('SVC_POSTGRES_PORT', defaultPorts.postgres),
      s3: port('SVC_S3_PORT', defaultPorts.s3),
      temporal: port('SVC_TEMPORAL_PORT', defaultPorts.temporal),
      temporalUi: port('SVC_TEMPORAL_UI_PORT', defaultPorts.ui),
    },
    streamAddress: env.SVC_STREAM_ADDRESS || `127.0.0.1:${streams.port}`,
    external: {
      databaseUrl: env.DATABASE_URL || null,
      databaseOwnerUrl: env.DATABASE_OWNER_URL || null,
      s3: env.S3_ENDPOINT ? variablesOf(storageSettings, env) : null,
      temporal: env.TEMPORAL_ADDRESS ? variablesOf(temporalSettings, env) : null,
    },
    drainSeconds: env.SVC_DRAIN_SECONDS || '0',
    bucket: env.S3_BUCKET || 'svc',
    namespace: env.TEMPORAL_NAMESPACE || 'default',
    taskQueue: env.SVC_TASK_QUEUE || 'svc',
    programs: {
      temporal: env.SVC_TEMPORAL_BINARY || '',
      versitygw: env.SVC_VERSITYGW_BINARY || '',
      seaweedfs: env.SVC_SEAWEEDFS_BINARY || '',
    },
    s3Server: s3ServerOf(env, tell),
  };
}

function portOf(
  env: Environment,
  variable: string,
  { fallback, tell }: { readonly fallback: number; readonly tell: (problem: string) => void },
): PortSetting {
  const text = env[variable] || String(fallback);
  const { data: port } = portNumber({ min: 1 }).safeParse(text);
  if (port !== undefined) return { variable, port };
  tell(`${variable}: must be a port from 1 to 65535, got "${text}"`);
  return { variable, port: fallback };
}

function assignmentsOf(env: Environment, tell: (problem: string) => void): Assignments {
  try {
    return parseAssignments(env.SVC_ASSIGNMENTS ?? '');
  } catch (error) {
    tell(`SVC_ASSIGNMENTS: ${(error as Error).message}`);
    return noAssignments;
  }
}

function s3ServerOf(env: Environment, tell: (problem: string) => void): S3ServerName {
  try {
    return chosenServer(dataDirectoryOf(env), env.SVC_S3_SERVER) ?? defaultS3Server;
  } catch (error) {
    tell((error as Error).message);
    return defaultS3Server;
  }
}
