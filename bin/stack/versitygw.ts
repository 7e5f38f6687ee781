// Embedded object storage: versitygw, an S3 gateway over a plain folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { s3Folders } from '../setup/s3-choice.mjs';
import type { PartSpec } from './part.ts';
import type { S3ServerOptions } from './s3-server.ts';

/** Describes the gateway's process; makes its folders. */
export function versitygwPart(options: S3ServerOptions): PartSpec {
  // The gateway rejects a metadata folder whose path starts with that of the objects.
  const objects = join(options.dataDirectory, s3Folders.versitygw);
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
      // Any answer, even the rejection of an unsigned request, means that it serves.
      const response = await fetch(`http://127.0.0.1:${options.port}/`, { signal });
      await response.arrayBuffer();
    },
  };
}
