// Deletion of objects: by their keys, or all under a prefix.
import {
  DeleteObjectsCommand,
  type _Error as DeletionError,
  type S3Client,
} from '@aws-sdk/client-s3';
import { listKeys } from './object-listing.ts';

const keysPerRequest = 1_000;
/** A listing that was damaged in transit names absent keys: the objects are in the next one. */
const deletionRounds = 5;

/** The store refused to delete some objects, such as locked ones; the others are deleted. */
export class ObjectsKept extends Error {
  override readonly name = 'ObjectsKept';
  readonly keys: ReadonlySet<string>;

  constructor(reason: string, keys: Iterable<string>) {
    super(`an object was not deleted: ${reason}`);
    this.keys = new Set(keys);
  }
}

/** @throws ObjectsKept */
export async function deleteObjects(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  const kept: DeletionError[] = [];
  for (let i = 0; i < keys.length; i += keysPerRequest) {
    const Objects = keys.slice(i, i + keysPerRequest).map((Key) => ({ Key }));
    kept.push(...(await deleteKeys(client, bucket, Objects)));
  }
  const [first] = kept;
  if (!first) return;
  const named = kept.flatMap(({ Key }) => Key ?? []);
  throw new ObjectsKept(`${first.Code} ${first.Message}`, named);
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

/** The answer as a whole succeeds even when single keys fail. @returns what it says of those */
async function deleteKeys(
  client: S3Client,
  bucket: string,
  Objects: { readonly Key: string }[],
): Promise<readonly DeletionError[]> {
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Errors = [] } = await client.send(command);
  return Errors.filter(({ Code }) => Code !== 'NoSuchKey');
}
