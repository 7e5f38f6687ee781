// The S3 servers that a stack can run: how the one that was chosen starts.
import type { S3ServerName } from '../setup/s3-choice.mjs';
import type { PartSpec } from './part.ts';
import { seaweedPart } from './seaweedfs.ts';
import type { S3ServerOptions } from './s3-server.ts';
import { versitygwPart } from './versitygw.ts';

/** Describes the server's process; makes its folders. */
export function s3ServerPart(name: S3ServerName, options: S3ServerOptions): Promise<PartSpec> {
  return name === 'seaweedfs' ? seaweedPart(options) : Promise.resolve(versitygwPart(options));
}
