// Clients of an S3 service: endpoint, credentials, encryption, proxies, time limits.
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { closeIdleAfterSilence, reportUnanswered, retryTransient } from './object-retries.ts';
import { limitSilence } from './silence-limit.ts';

export interface ObjectStoreOptions {
  readonly bucket: string;
  /** Null for AWS in the region. */
  readonly endpoint: string | null;
  /** Endpoint of presigned uploads, when callers need a different one. */
  readonly publicEndpoint?: string | null;
  readonly region: string;
  /** Id of a fixed key; null for the AWS credential chain. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** Addressing of the bucket, by path or by virtual host. Default: path. */
  readonly addressing?: 'path' | 'virtual';
  /** Requested for every object; null for the default of the bucket. */
  readonly encryption?: Encryption | null;
  /** Certificate authority (PEM) of the storage; null for the public ones. */
  readonly authority?: string | null;
  readonly proxies?: Proxies;
  /** Time limit of an attempt for its connection. */
  readonly connectionTimeoutMs?: number;
  /** An attempt without a byte for this long is aborted, later where it sends MiB. */
  readonly silenceMs?: number;
  /** Called before a PUT returns whose attempt had no answer: it may arrive later. */
  readonly onUnanswered?: ((key: string) => Promise<void>) | undefined;
}

export interface Encryption {
  readonly algorithm: 'AES256' | 'aws:kms';
  /** Null for the key of the bucket. */
  readonly kmsKeyId: string | null;
}

/** The proxy variables of these names. */
export interface Proxies {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
}

/** By default, of an attempt that sends no MiB. The SDK counts from its third second on. */
export const silenceMs = 9_000;
const defaultConnectionTimeoutMs = 3_000;
const maxSockets = 64;

export function createClient(options: ObjectStoreOptions): S3Client {
  const { endpoint, accessKeyId, secretAccessKey } = options;
  const { authority, proxies, encryption } = options;
  const connectionTimeout = options.connectionTimeoutMs ?? defaultConnectionTimeoutMs;
  const agentOptions = {
    keepAlive: true,
    maxSockets,
    ...(proxies && { proxyEnv: { ...proxies } }),
  };
  const httpAgent = new Agent(agentOptions);
  const httpsAgent = new HttpsAgent({ ...agentOptions, ...(authority && { ca: authority }) });
  const baseMs = options.silenceMs ?? silenceMs;
  const config = {
    // `AWS_USE_FIPS_ENDPOINT` and the like choose among AWS's endpoints; this one is chosen.
    ...(endpoint && { endpoint, useFipsEndpoint: false, useDualstackEndpoint: false }),
    region: options.region,
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: options.addressing !== 'virtual',
    maxAttempts: 3,
    // The service keeps its own sha256; the SDK's checksum would hash every body a second time.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const clientOf = (socketTimeout: number) =>
    new S3Client({
      ...config,
      requestHandler: { connectionTimeout, socketTimeout, httpAgent, httpsAgent },
    });
  const client = clientOf(baseMs);
  limitSilence(client, baseMs, (limitMs) => clientOf(limitMs).config.requestHandler);
  if (encryption) encryptObjects(client, encryption);
  if (options.onUnanswered) reportUnanswered(client, options.onUnanswered);
  return closeIdleAfterSilence(retryTransient(client), [httpAgent, httpsAgent]);
}

/** Commands that create an object. */
const starts = ['PutObjectCommand', 'CreateMultipartUploadCommand'];

function encryptObjects(client: S3Client, encryption: Encryption): void {
  const requested = {
    ServerSideEncryption: encryption.algorithm,
    ...(encryption.kmsKeyId && { SSEKMSKeyId: encryption.kmsKeyId }),
  };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (starts.includes(commandName)) Object.assign(args.input, requested);
        return next(args);
      },
    { step: 'initialize', name: 'encryptObjects' },
  );
}

/** Headers that a presigned upload must send for the same encryption. */
export function encryptionHeaders(encryption: Encryption | null): Record<string, string> {
  if (encryption === null) return {};
  return {
    'x-amz-server-side-encryption': encryption.algorithm,
    ...(encryption.kmsKeyId && {
      'x-amz-server-side-encryption-aws-kms-key-id': encryption.kmsKeyId,
    }),
  };
}
