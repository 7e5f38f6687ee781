// Deletion of objects: by their keys, or all under a prefix.
import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import { listKeys } from './object-listing.ts';

const keysPerRequest = 1_000;
/** A listing that was damaged in transit names absent keys: the objects are in the next one. */
const deletionRounds = 5;

/** @throws when the store reports that one of them was not deleted */
export async function deleteObjects(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  for (let i = 0; i < keys.length; i += keysPerRequest) {
    const Objects = keys.slice(i, i + keysPerRequest).map((Key) => ({ Key }));
    await deleteKeys(client, bucket, Objects);
  }
}

/** Deletes all objects under the prefix, and verifies that a new listing is empty. */
export async function deletePrefix(
  client: S3Client,
  bucket: string,
  prefix: string,
): Promise<void> {
  for (let round = 0; round < deletionRounds; round += 1) {
    const keys = await listKeys(client, bucket, prefix);
    if (keys.length === 0) return;
    await deleteObjects(client, bucket, keys);
  }
  throw new Error(`objects under ${prefix} were deleted and are listed still`);
}

/** The answer as a whole succeeds even when single keys fail. */
async function deleteKeys(
  client: S3Client,
  bucket: string,
  Objects: { readonly Key: string }[],
): Promise<void> {
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Errors = [] } = await client.send(command);
  const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
  if (first) throw new Error(`an object was not deleted: ${first.Code} ${first.Message}`);
}
