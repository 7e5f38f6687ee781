// A bucket of its own for a test, emptied afterwards.
import { randomBytes } from 'node:crypto';
import { openObjectStore, type ObjectStore } from '../../db/object-store.ts';
import type { Cleanup } from './cleanup.ts';
import { testServers } from './environment.ts';

export async function testObjectStore(t: Cleanup): Promise<ObjectStore> {
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  const objects = openObjectStore({ ...testServers().s3, bucket });
  await objects.ensureBucket();
  t.teardown(async () => {
    await objects.delete(await objects.list(''));
    objects.close();
  });
  return objects;
}
