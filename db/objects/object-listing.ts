// Lists the objects and open uploads of a bucket page by page.
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ObjectDamaged } from './object-reads.ts';

export interface ListedObject {
  readonly key: string;
  /** Time of the last change, by the store's clock. */
  readonly modifiedAt: Date;
}

/** Every key under a prefix. */
export async function listKeys(
  client: S3Client,
  bucket: string,
  prefix: string,
): Promise<string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    for (const { Key } of page.Contents ?? []) {
      // A listing has no checksum, and its keys may be deleted, so they must match the request.
      if (!Key?.startsWith(prefix))
        throw new ObjectDamaged('the listing contains an unrequested key');
      keys.push(Key);
    }
    token = page.NextContinuationToken;
  } while (token);
  return keys;
}

/** At most a thousand objects in the order of their keys, after `after`. */
export async function listPage(
  client: S3Client,
  { bucket, prefix, after }: { bucket: string; prefix: string; after: string },
): Promise<readonly ListedObject[]> {
  const input = { Bucket: bucket, Prefix: prefix, ...(after && { StartAfter: after }) };
  const { Contents = [] } = await client.send(new ListObjectsV2Command(input));
  return Contents.flatMap(({ Key: key, LastModified: modifiedAt }) =>
    key && modifiedAt ? [{ key, modifiedAt }] : [],
  );
}

/** Works page by page, because aborted uploads vanish from the listing. */
export async function abortUploads(
  client: S3Client,
  { bucket, prefix, before }: { bucket: string; prefix: string; before: Date },
): Promise<number> {
  let aborted = 0;
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (;;) {
    const input = { Bucket: bucket, Prefix: prefix, ...marker };
    const page = await client.send(new ListMultipartUploadsCommand(input));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      // Some gateways ignore the prefix here.
      if (!Key?.startsWith(prefix) || !Initiated || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
      aborted += 1;
    }
    if (!page.IsTruncated || !page.NextKeyMarker) return aborted;
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
