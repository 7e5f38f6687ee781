// Addresses of the real servers that the runner started; each test makes its own part of them.
export interface TestServers {
  /** As the service's processes connect: with privileges on rows and on nothing else. */
  readonly databaseUrl: string;
  /** As the owner of the schema connects. */
  readonly databaseOwnerUrl: string;
  /** The name of a migrated database that nobody is connected to. */
  readonly databaseTemplate: string;
  readonly s3: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly temporalAddress: string;
  readonly modelsDirectory: string;
}

/** @throws when a variable is missing: tests run through `npm test` */
export function testServers(): TestServers {
  const read = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set; run tests with npm test`);
    return value;
  };
  return {
    databaseUrl: read('TEST_DATABASE_URL'),
    databaseOwnerUrl: read('TEST_DATABASE_OWNER_URL'),
    databaseTemplate: read('TEST_DATABASE_TEMPLATE'),
    s3: {
      endpoint: read('TEST_S3_ENDPOINT'),
      region: 'us-east-1',
      accessKeyId: read('TEST_S3_ACCESS_KEY_ID'),
      secretAccessKey: read('TEST_S3_SECRET_ACCESS_KEY'),
    },
    temporalAddress: read('TEST_TEMPORAL_ADDRESS'),
    modelsDirectory: read('SVC_MODELS_DIR'),
  };
}

export interface ServerPorts {
  readonly postgres?: number;
  readonly s3?: number;
  readonly temporal?: number;
}

/** What a process of the service reads about its servers and models. */
export function serviceEnvironment(options: {
  readonly databaseUrl: string;
  readonly bucket: string;
  readonly ports?: ServerPorts;
  /** Default: that of the tests. */
  readonly modelsDirectory?: string;
}): Readonly<Record<string, string | undefined>> {
  const { s3, ...servers } = testServers();
  const { ports = {}, modelsDirectory = servers.modelsDirectory } = options;
  return {
    ...process.env,
    DATABASE_URL: atPort(options.databaseUrl, ports.postgres),
    S3_ENDPOINT: atPort(s3.endpoint, ports.s3),
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: options.bucket,
    TEMPORAL_ADDRESS: ports.temporal ? `127.0.0.1:${ports.temporal}` : servers.temporalAddress,
    SVC_MODELS_DIR: modelsDirectory,
  };
}

/** The address with another port, if one is given. */
export function atPort(address: string, port: number | undefined): string {
  const url = new URL(address);
  if (port !== undefined) url.port = String(port);
  return url.href;
}
