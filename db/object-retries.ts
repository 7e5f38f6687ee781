// Retries transient errors of object storage that the SDK does not recognise.
import { S3ServiceException, type S3Client } from '@aws-sdk/client-s3';

/** Clocks may differ by this much before a signature is rejected. */
const driftMs = 240_000;

/**
 * A gateway that stores objects as files deletes an empty folder with its last object. A put that
 * creates its folder at that moment fails with this code; no key of the service is a prefix of
 * another one.
 */
const folderRemoved = 'ExistingObjectIsDirectory';

/**
 * Makes a client retry after such a put, and when its signature was rejected for its time. The SDK
 * learns the store's clock from each answer, but retries only while the clocks differ, and so not
 * after this machine's clock has just been corrected.
 */
export function retryTransient(client: S3Client): S3Client {
  client.middlewareStack.addRelativeTo(
    <Args, Output>(next: (args: Args) => Promise<Output>) =>
      async (args: Args): Promise<Output> => {
        const assumedMs = client.config.systemClockOffset;
        try {
          return await next(args);
        } catch (error) {
          if (!(error instanceof S3ServiceException)) throw error;
          const jumpMs = Math.abs(client.config.systemClockOffset - assumedMs);
          const clockWasSet = error.$response?.statusCode === 403 && jumpMs > driftMs;
          if (clockWasSet || error.name === folderRemoved) error.$retryable = {};
          throw error;
        }
      },
    { relation: 'before', toMiddleware: 'httpSigningMiddleware', name: 'retryTransient' },
  );
  return client;
}
