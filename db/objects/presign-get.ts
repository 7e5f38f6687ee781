// Signs the address of one object in a bucket that is not the service's.
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createClient } from './object-client.ts';

export interface ForeignObject {
  readonly bucket: string;
  readonly key: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** null for AWS. */
  readonly endpoint: string | null;
}

/** Longer than a fetch may take. */
const lifetimeSeconds = 900;

/** Signs in this process; nothing is requested. */
export async function presignGet({ bucket, key, ...access }: ForeignObject): Promise<string> {
  const addressing = access.endpoint === null ? 'virtual' : 'path';
  const client = createClient({ bucket, addressing, ...access });
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key });
    return await getSignedUrl(client, command, { expiresIn: lifetimeSeconds });
  } finally {
    client.destroy();
  }
}
