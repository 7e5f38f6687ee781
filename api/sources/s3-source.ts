// A recording in a bucket of the caller: its address is signed, and then fetched like any other.
import { presignGet } from '../../db/objects/presign-get.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { credentialFor, type SourceCredential } from '../../models/contract/source.ts';

/** @throws ServiceError source_refused without credentials for the bucket */
export async function presignedSource(
  url: URL,
  credentials: readonly SourceCredential[],
): Promise<URL> {
  const secret = credentialFor(url, credentials)?.secret;
  if (secret?.kind !== 's3') {
    const message = `\`source\`: no credentials for s3://${url.host} are stored.`;
    throw new ServiceError('source_refused', message, { param: 'source.url' });
  }
  const key = decodeURIComponent(url.pathname.slice(1));
  return new URL(await presignGet({ ...secret, bucket: url.host, key }));
}
