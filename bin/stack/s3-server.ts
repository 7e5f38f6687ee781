// Options and address of an embedded S3 server.
import type { S3Access } from '../settings/stack-settings.ts';

export interface S3ServerOptions {
  readonly dataDirectory: string;
  readonly logPath: string;
  readonly program: string;
  readonly port: number;
  /** Ports of the stack's other parts, which may not listen yet. */
  readonly promisedPorts: readonly number[];
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The address of the embedded server, and its credentials. */
export function s3ServerAccess(
  options: Pick<S3ServerOptions, 'port' | 'accessKeyId' | 'secretAccessKey'>,
): S3Access {
  const { port, accessKeyId, secretAccessKey } = options;
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
}
