// The stack's settings from the environment: folders, ports, and external servers.
import { join, resolve } from 'node:path';
import { parseAssignments, type Assignments } from '../../models/bundles/assignments.ts';
import { defaultEnglishBundle } from '../../models/bundles/english-bundles.ts';
import { dataDirectoryOf, defaultModelsDirectory } from '../setup/directories.mjs';
import { chosenServer, type S3ServerName } from '../setup/s3-choice.mjs';
import { variablesOf, type Environment } from './read-config.ts';
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

/** A variable has an unusable value; the message names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

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

/** Reads and validates every variable of the stack. @throws SettingsError, SetupError */
export function readSettings(env: Environment): StackSettings {
  const dataDirectory = dataDirectoryOf(env);
  const streams = port(env, 'SVC_STREAM_PORT', defaultPorts.streams);
  return {
    dataDirectory,
    logDirectory: join(dataDirectory, 'logs'),
    modelsDirectory: resolve(env.SVC_MODELS_DIR || defaultModelsDirectory(env)),
    englishBundle: env.SVC_ENGLISH_BUNDLE || defaultEnglishBundle,
    assignments: parseAssignments(env.SVC_ASSIGNMENTS ?? ''),
    host: env.SVC_HOST || '127.0.0.1',
    ports: {
      api: port(env, 'SVC_PORT', defaultPorts.api),
      streams,
      metrics: port(env, 'SVC_METRICS_PORT', defaultPorts.metrics),
      postgres: port(env, 'SVC_POSTGRES_PORT', defaultPorts.postgres),
      s3: port(env, 'SVC_S3_PORT', defaultPorts.s3),
      temporal: port(env, 'SVC_TEMPORAL_PORT', defaultPorts.temporal),
      temporalUi: port(env, 'SVC_TEMPORAL_UI_PORT', defaultPorts.ui),
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
    s3Server: chosenServer(dataDirectory, env.SVC_S3_SERVER) ?? 'versitygw',
  };
}

function port(env: Environment, variable: string, fallback: number): PortSetting {
  const text = env[variable] || String(fallback);
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new SettingsError(`${variable} must be a port from 1 to 65535, not "${text}"`);
  }
  return { variable, port: value };
}
