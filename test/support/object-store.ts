// A bucket of its own for a test, emptied afterwards.
import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { createClient } from '../../db/objects/object-client.ts';
import { openObjectStore, type ObjectStore } from '../../db/objects/object-store.ts';
import type { Cleanup } from './cleanup.ts';
import { testServers } from './environment.ts';
import { patientMs } from './patience.ts';

/** A storage that a machine has stopped for seconds is not asked a second time. */
export const patientStore = { connectionTimeoutMs: patientMs, silenceMs: patientMs };

export async function testObjectStore(t: Cleanup): Promise<ObjectStore> {
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  const objects = openObjectStore({ ...testServers().s3, ...patientStore, bucket });
  await objects.ensureBucket();
  t.teardown(async () => {
    await objects.delete(await objects.list(''));
    objects.close();
  });
  return objects;
}

/** How many multipart uploads are open in the bucket. */
export async function countOpenUploads({ bucket }: Pick<ObjectStore, 'bucket'>): Promise<number> {
  const client = createClient({ ...testServers().s3, bucket });
  try {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return Uploads.length;
  } finally {
    client.destroy();
  }
}
