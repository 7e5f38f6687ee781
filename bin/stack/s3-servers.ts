// The S3 servers that a stack can run: which of them is this data directory's, and how it starts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PartSpec } from './part.ts';
import { seaweedPart } from './seaweedfs.ts';
import type { S3ServerOptions } from './s3-server.ts';
import { SettingsError, type S3ServerName, type StackSettings } from './settings.ts';
import { versitygwPart } from './versitygw.ts';

/** Each server's folder in a data directory: that it is there tells who wrote the objects. */
const folders: Readonly<Record<S3ServerName, string>> = {
  versitygw: 'objects',
  seaweedfs: 'seaweedfs',
};

/**
 * The server of a data directory: the one that wrote its objects, for a new one the one asked for.
 * @throws SettingsError where another one is asked for than the objects were written by
 */
export function s3ServerOf({
  dataDirectory,
  s3Server,
}: Pick<StackSettings, 'dataDirectory' | 's3Server'>): S3ServerName {
  const names = Object.keys(folders) as S3ServerName[];
  const kept = names.find((name) => existsSync(join(dataDirectory, folders[name])));
  if (kept && s3Server && kept !== s3Server) {
    throw new SettingsError(
      `the objects in ${dataDirectory} were written by ${kept}, which SVC_S3_SERVER=${s3Server} ` +
        'cannot read: unset it, or choose another SVC_DATA_DIR',
    );
  }
  return kept ?? s3Server ?? 'versitygw';
}

/** Describes the server's process; makes its folders. */
export function s3ServerPart(name: S3ServerName, options: S3ServerOptions): Promise<PartSpec> {
  return name === 'seaweedfs' ? seaweedPart(options) : Promise.resolve(versitygwPart(options));
}
