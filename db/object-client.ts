// Clients of an S3 service: its address, credentials, encryption and the way there.
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { retryTransient } from './object-retries.ts';

export interface ObjectStoreOptions {
  readonly bucket: string;
  /** Null: that of AWS in the region. */
  readonly endpoint: string | null;
  /** Where callers reach it, when that is another address. */
  readonly publicEndpoint?: string | null;
  readonly region: string;
  /** With its secret; null: whatever AWS's chain of providers finds, renewed in time. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** Where the bucket is named: in the path, or before the host. Default: path. */
  readonly addressing?: 'path' | 'virtual';
  /** Asked for with every object; null: what the bucket does by itself. */
  readonly encryption?: Encryption | null;
  /** PEM of who has signed for the storage, where no public authority has. */
  readonly authority?: string | null;
  readonly proxies?: Proxies;
}

export interface Encryption {
  readonly algorithm: 'AES256' | 'aws:kms';
  /** Null: the bucket's key. */
  readonly kmsKeyId: string | null;
}

/** As the variables of these names say. */
export interface Proxies {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
}

/** Without a byte for so long an attempt is given up: three of them take half a minute. */
const silenceMs = 9_000;
const connectionTimeoutMs = 3_000;
const maxSockets = 64;

export function createClient(options: ObjectStoreOptions): S3Client {
  const { endpoint, accessKeyId, secretAccessKey } = options;
  const { authority, proxies, encryption } = options;
  const agentOptions = {
    keepAlive: true,
    maxSockets,
    ...(proxies && { proxyEnv: { ...proxies } }),
  };
  const client = new S3Client({
    ...(endpoint && { endpoint }),
    region: options.region,
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: options.addressing !== 'virtual',
    maxAttempts: 3,
    // We keep our own sha256; the SDK's checksum would hash every body a second time.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: silenceMs,
      httpAgent: new Agent(agentOptions),
      httpsAgent: new HttpsAgent({ ...agentOptions, ...(authority && { ca: authority }) }),
    },
  });
  if (encryption) encryptObjects(client, encryption);
  return retryTransient(client);
}

/** Commands that begin an object. */
const beginnings = ['PutObjectCommand', 'CreateMultipartUploadCommand'];

function encryptObjects(client: S3Client, encryption: Encryption): void {
  const asked = {
    ServerSideEncryption: encryption.algorithm,
    ...(encryption.kmsKeyId && { SSEKMSKeyId: encryption.kmsKeyId }),
  };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (beginnings.includes(commandName)) Object.assign(args.input, asked);
        return next(args);
      },
    { step: 'initialize', name: 'encryptObjects' },
  );
}

/** What somebody else has to send for the same encryption. */
export function encryptionHeaders(encryption: Encryption | null): Record<string, string> {
  if (encryption === null) return {};
  return {
    'x-amz-server-side-encryption': encryption.algorithm,
    ...(encryption.kmsKeyId && {
      'x-amz-server-side-encryption-aws-kms-key-id': encryption.kmsKeyId,
    }),
  };
}
