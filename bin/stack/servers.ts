// The three servers that the service depends on: each embedded, or external by its variable.
import { join } from 'node:path';
import { emptyVariables } from '../settings/read-config.ts';
import { temporalSettings } from '../settings/temporal-config.ts';
import { createPart, type Part, type PartEvents } from './part.ts';
import { postgresOwnerUrl, postgresPart, postgresUrl } from './postgres.ts';
import { s3ServerAccess } from './s3-server.ts';
import { s3ServerPart } from './s3-servers.ts';
import type { Secrets } from './secrets.ts';
import { SettingsError, type S3Access, type StackSettings } from '../settings/stack-settings.ts';
import { temporalPart } from './temporal.ts';

/** The servers that the stack runs, and the variables by which processes find all three. */
export interface Servers {
  readonly parts: readonly Part[];
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Database URL of the schema's owner, which the processes never get; null when `DATABASE_URL` may
   * change the schema.
   */
  readonly databaseOwnerUrl: string | null;
}

export interface ServersOptions {
  readonly settings: StackSettings;
  readonly secrets: Secrets;
  readonly events: PartEvents;
  /** See `PostgresOptions.durable`. */
  readonly durable: boolean;
}

/** Creates the embedded servers without starting them. @throws SettingsError */
export async function createServers(options: ServersOptions): Promise<Servers> {
  const [sql, histories] = await Promise.all([database(options), temporal(options)]);
  // Looks for free ports: while it does, a port that another one asks about could seem taken.
  const created = [sql, await objectStorage(options), histories];
  return {
    parts: created.flatMap(({ part }) => (part === null ? [] : [part])),
    environment: Object.assign({}, ...created.map(({ environment }) => environment)),
    databaseOwnerUrl: ownerUrlOf(options),
  };
}

interface Server {
  readonly part: Part | null;
  readonly environment: Readonly<Record<string, string>>;
}

function addressOf({ settings, secrets }: ServersOptions) {
  return {
    port: settings.ports.postgres.port,
    password: secrets.postgresPassword,
    servicePassword: secrets.postgresServicePassword,
  };
}

function ownerUrlOf(options: ServersOptions): string | null {
  const { databaseUrl, databaseOwnerUrl } = options.settings.external;
  return databaseUrl === null ? postgresOwnerUrl(addressOf(options)) : databaseOwnerUrl;
}

async function database(options: ServersOptions): Promise<Server> {
  const { settings, events, durable } = options;
  const { databaseUrl } = settings.external;
  if (databaseUrl !== null) return { part: null, environment: { DATABASE_URL: databaseUrl } };
  const address = addressOf(options);
  const spec = await postgresPart({
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 'postgres.log'),
    ...{ ...address, durable, say: events.say },
  });
  return {
    part: createPart(spec, events),
    environment: { DATABASE_URL: postgresUrl(address) },
  };
}

async function objectStorage({ settings, secrets, events }: ServersOptions): Promise<Server> {
  const { s3 } = settings.external;
  if (s3 !== null) return { part: null, environment: { ...s3, S3_BUCKET: settings.bucket } };
  const gateway = {
    port: settings.ports.s3.port,
    accessKeyId: secrets.s3AccessKeyId,
    secretAccessKey: secrets.s3SecretAccessKey,
  };
  const { s3Server } = settings;
  const spec = await s3ServerPart(s3Server, {
    ...gateway,
    promisedPorts: Object.values(settings.ports).map(({ port }) => port),
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 's3-gateway.log'),
    program: programOf(settings, s3Server),
  });
  return {
    part: createPart(spec, events),
    environment: s3Environment(s3ServerAccess(gateway), settings),
  };
}

function programOf({ programs }: StackSettings, name: keyof StackSettings['programs']): string {
  if (programs[name] !== '') return programs[name];
  const variable = `SVC_${name.toUpperCase()}_BINARY`;
  throw new SettingsError(`${variable} is not set: "npm start" installs ${name} and sets it`);
}

function s3Environment(s3: S3Access, { bucket }: StackSettings): Record<string, string> {
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: bucket,
  };
}

async function temporal({ settings, events }: ServersOptions): Promise<Server> {
  const { namespace } = settings;
  const { temporal: elsewhere } = settings.external;
  if (elsewhere !== null) return { part: null, environment: elsewhere };
  const { port } = settings.ports.temporal;
  const spec = temporalPart({
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 'temporal.log'),
    program: programOf(settings, 'temporal'),
    ...{ port, uiPort: settings.ports.temporalUi.port, namespace },
  });
  return {
    part: createPart(spec, events),
    environment: {
      ...emptyVariables(temporalSettings),
      ...{ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: namespace },
    },
  };
}
