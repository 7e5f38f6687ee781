// Embedded object storage: versitygw, an S3 gateway over a plain folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PartSpec } from './part.ts';
import type { S3Access } from './settings.ts';

export interface S3GatewayOptions {
  readonly dataDirectory: string;
  readonly logPath: string;
  readonly program: string;
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where the embedded gateway answers, and with which credentials. */
export function s3GatewayAccess(options: {
  readonly port: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}): S3Access {
  const { port, accessKeyId, secretAccessKey } = options;
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, region: 'us-east-1', accessKeyId, secretAccessKey };
}

/** Describes the gateway's process; makes its folders. */
export function s3GatewayPart(options: S3GatewayOptions): PartSpec {
  // The gateway refuses a metadata folder whose path begins with that of the objects.
  const objects = join(options.dataDirectory, 'objects');
  const metadata = join(options.dataDirectory, 'metadata-of-objects');
  for (const folder of [objects, metadata]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    name: 'S3 gateway',
    command: options.program,
    args: [
      ...['--port', `127.0.0.1:${options.port}`],
      // Without keep-alive every request would open a connection.
      '--keep-alive',
      '--quiet',
      ...['posix', '--sidecar', metadata, objects],
    ],
    env: {
      ROOT_ACCESS_KEY_ID: options.accessKeyId,
      ROOT_SECRET_ACCESS_KEY: options.secretAccessKey,
    },
    cwd: options.dataDirectory,
    logPath: options.logPath,
    privateFiles: true,
    stopSignal: 'SIGTERM',
    readySeconds: 30,
    async probe({ signal }) {
      // Any answer, also the refusal of a nameless caller, means that it serves.
      const response = await fetch(`http://127.0.0.1:${options.port}/`, { signal });
      await response.arrayBuffer();
    },
  };
}
