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
    parts: created.flatMap((part) => (part === null ? [] : [part])),
    environment: serversEnvironment(options),
    databaseOwnerUrl: ownerUrlOf(options),
  };
}

type Access = Pick<ServersOptions, 'settings' | 'secrets'>;

/** The variables by which processes find the three servers. */
export function serversEnvironment({ settings, secrets }: Access): Record<string, string> {
  const { bucket, external, namespace, ports } = settings;
  return {
    DATABASE_URL: external.databaseUrl ?? postgresUrl(addressOf({ settings, secrets })),
    ...(external.s3 ?? s3Environment(s3ServerAccess(gatewayOf({ settings, secrets })))),
    S3_BUCKET: bucket,
    ...(external.temporal ?? {
      ...emptyVariables(temporalSettings),
      ...{ TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal.port}`, TEMPORAL_NAMESPACE: namespace },
    }),
  };
}

function addressOf({ settings, secrets }: Access) {
  return {
    port: settings.ports.postgres.port,
    password: secrets.postgresPassword,
    servicePassword: secrets.postgresServicePassword,
  };
}

function gatewayOf({ settings, secrets }: Access) {
  return {
    port: settings.ports.s3.port,
    accessKeyId: secrets.s3AccessKeyId,
    secretAccessKey: secrets.s3SecretAccessKey,
  };
}

/** See `Servers.databaseOwnerUrl`. */
export function ownerUrlOf(options: Access): string | null {
  const { databaseUrl, databaseOwnerUrl } = options.settings.external;
  return databaseUrl === null ? postgresOwnerUrl(addressOf(options)) : databaseOwnerUrl;
}

async function database(options: ServersOptions): Promise<Part | null> {
  const { settings, events, durable } = options;
  if (settings.external.databaseUrl !== null) return null;
  const spec = await postgresPart({
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 'postgres.log'),
    ...{ ...addressOf(options), durable, say: events.say },
  });
  return createPart(spec, events);
}

async function objectStorage(options: ServersOptions): Promise<Part | null> {
  const { settings, events } = options;
  if (settings.external.s3 !== null) return null;
  const { s3Server } = settings;
  const spec = await s3ServerPart(s3Server, {
    ...gatewayOf(options),
    promisedPorts: Object.values(settings.ports).map(({ port }) => port),
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 's3-gateway.log'),
    program: programOf(settings, s3Server),
  });
  return createPart(spec, events);
}

function programOf({ programs }: StackSettings, name: keyof StackSettings['programs']): string {
  if (programs[name] !== '') return programs[name];
  const variable = `SVC_${name.toUpperCase()}_BINARY`;
  throw new SettingsError(`${variable} is not set: "npm start" installs ${name} and sets it`);
}

function s3Environment(s3: S3Access): Record<string, string> {
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}

async function temporal({ settings, events }: ServersOptions): Promise<Part | null> {
  if (settings.external.temporal !== null) return null;
  const { namespace, ports } = settings;
  const spec = temporalPart({
    dataDirectory: settings.dataDirectory,
    logPath: join(settings.logDirectory, 'temporal.log'),
    program: programOf(settings, 'temporal'),
    ...{ port: ports.temporal.port, uiPort: ports.temporalUi.port, namespace },
  });
  return createPart(spec, events);
}
